import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, hash } from 'node:crypto';
import type { Request } from 'express';
import type { Query } from '../database/sql.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { pipelineError, type ApiError } from '../http/api-error.ts';
import type { Claim, KeptResponse, Outcome } from '../idempotency/claim.ts';
import type { FirstRequest, ResponseStore } from '../idempotency/response-store.ts';
import { requestContextOf, operationIdOf } from './request-context.ts';
import { wholeResponse, type ResponseContent } from './respond.ts';

/** The largest body that is kept, in bytes. */
const MAX_KEPT = 1_000_000;
/** The Retry-After of a repeat that came too early, in seconds. */
const RETRY_AFTER = '1';

type Transaction<Stores> = <Result>(
  work: (stores: Stores, query: Query) => Promise<Result>,
) => Promise<Result>;

export interface SafeRepeats {
  /**
   * Calls the handler of a request, unless it repeats one with the same `key`: then it resolves to that one's response.
   * An `isAtomic` handler runs again if its transaction did not commit. Rejects with an ApiError, 409, while the first one
   * is under way or if its response was not kept, and with 422 if it was another request
   * (draft-ietf-httpapi-idempotency-key-header §2.6, §2.7).
   */
  run(
    req: Request,
    key: string,
    options: { readonly isAtomic: boolean; readonly handle: () => Handled },
  ): Promise<ResponseContent>;
  /**
   * `transaction`, which also keeps the response that it returns to a handler. It rolls back and rejects with an ApiError,
   * 409, if a repeat has taken the claim over.
   */
  keeping<Stores>(transaction: Transaction<Stores>): Transaction<Stores>;
}

type Handled = ResponseContent | Promise<ResponseContent>;

/** The first request with a key, while its handler runs. */
interface Running {
  readonly claim: Claim;
  readonly req: Request;
  readonly isAtomic: boolean;
  /** What a transaction has returned and kept. */
  kept?: { readonly content: unknown; readonly response: KeptResponse } | undefined;
  hasCommitted?: boolean;
}

export function createSafeRepeats(store: ResponseStore): SafeRepeats {
  const runs = new AsyncLocalStorage<Running>();
  /** Requests of this process by the ids of their keys, with what the store knows of an earlier one. */
  const underWay = new Map<
    string,
    { readonly fingerprint: string; readonly first: Promise<Claim | FirstRequest> }
  >();

  async function handleFirst(running: Running, handle: () => Handled): Promise<ResponseContent> {
    const { claim, req, isAtomic } = running;
    let content: ResponseContent;
    try {
      content = await runs.run(running, handle);
    } catch (error) {
      // The database may have executed what it gave no response to. The transaction of an atomic one has ended the claim then.
      const isUnknown = error instanceof StoreUnavailable && !isAtomic;
      await store.end(claim, isUnknown ? 'omit' : 'release');
      throw error;
    }
    if (content === running.kept?.content) return running.kept.response;
    const response = await wholeResponse(req, content, MAX_KEPT);
    // Only a repeat needs it: the client of this request gets its response in any case.
    await store.end(claim, outcomeOf(response, content));
    return response ?? content;
  }

  return {
    async run(req, key, { isAtomic, handle }) {
      const id = idOf(req, key);
      const { fingerprint = '' } = requestContextOf(req);
      const other = underWay.get(id);
      if (other) {
        const first = await other.first;
        const own = { fingerprint: other.fingerprint, isUnderWay: true };
        return repeatOf('token' in first ? own : first, fingerprint);
      }
      const first = store.claim(id, fingerprint, isAtomic);
      underWay.set(id, { fingerprint, first });
      try {
        const claim = await first;
        if (!('token' in claim)) return repeatOf(claim, fingerprint);
        return await handleFirst({ claim, req, isAtomic }, handle).finally(() => store.leave(claim));
      } finally {
        underWay.delete(id);
      }
    },

    keeping: (transaction) => async (work) => {
      // Here, because a queue may run `work` on behalf of another request.
      const running = runs.getStore();
      if (!running) return transaction(work);
      if (running.isAtomic && running.hasCommitted)
        throw new Error(
          'an atomic handler began another transaction after a commit: its effects must be in one',
        );
      let kept: Running['kept'];
      const result = await transaction(async (stores, query) => {
        const content = await work(stores, query);
        const response = isResponse(content)
          ? await wholeResponse(running.req, content, MAX_KEPT)
          : undefined;
        const outcome = isResponse(content) ? outcomeOf(response, content) : 'omit';
        // A commit without a response also ends the claim of an atomic one, so that it does not run again.
        if (running.isAtomic || typeof outcome === 'object') {
          const which = running.isAtomic ? 'open' : 'any';
          if (!(await store.endWith(query, running.claim, outcome, which))) throw keyInUse();
        }
        if (typeof outcome === 'object') kept = { content, response: outcome };
        return content;
      });
      running.hasCommitted = true;
      running.kept = kept;
      return result;
    },
  };
}

/** The response to a repeat of `first`. Throws an ApiError if there is none. */
function repeatOf({ fingerprint, isUnderWay, response }: FirstRequest, ofRepeat: string): ResponseContent {
  if (fingerprint !== ofRepeat) throw pipelineError('idempotency_key_reused');
  if (response) return response;
  throw isUnderWay ? keyInUse() : pipelineError('idempotency_response_missing');
}

const keyInUse = (): ApiError => pipelineError('idempotency_key_in_use', { 'Retry-After': RETRY_AFTER });

/** What becomes of a response: a repeat of a failure may succeed, and what took effect must not run again. */
function outcomeOf(response: KeptResponse | undefined, { status }: ResponseContent): Outcome {
  if (status >= 500 || status === 429) return 'release';
  return response && (response.body?.length ?? 0) <= MAX_KEPT ? response : 'omit';
}

function isResponse(result: unknown): result is ResponseContent {
  if (typeof result !== 'object' || result === null || !('status' in result)) return false;
  return (
    typeof result.status === 'number' &&
    Object.keys(result).every((name) => ['status', 'headers', 'body'].includes(name))
  );
}

/** The id of a caller's key, which no other caller shares. */
function idOf(req: Request, key: string): string {
  const context = requestContextOf(req);
  const { caller } = context;
  const who = caller?.kind === 'key' ? ['key', caller.key.owner] : ['address', caller?.address];
  return hash('sha256', JSON.stringify([who, `${operationIdOf(context)} ${key}`]));
}

/** What is the same in each repeat of a request: its address and its body, whose boundary changes (RFC 2046 §5.1.1). */
export function fingerprintOf(req: Request, body: readonly Buffer[] = []): string {
  const made = createHash('sha256').update(`${req.url}\n`);
  const [, boundary] =
    /^multipart\/[^;]*;.*\bboundary="?([^";]+)/i.exec(req.headers['content-type'] ?? '') ?? [];
  if (boundary === undefined) for (const chunk of body) made.update(chunk);
  else for (const part of without(Buffer.from(boundary, 'latin1'), body)) made.update(part);
  return made.digest('hex');
}

/** The bytes of `chunks` without those of `text`, which may begin in one chunk and end in the next. */
function* without(text: Buffer, chunks: readonly Buffer[]): Generator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, start)) {
      yield bytes.subarray(start, at);
      start = at + text.length;
    }
    const end = Math.max(start, bytes.length - text.length + 1);
    yield bytes.subarray(start, end);
    rest = bytes.subarray(end);
  }
  yield rest;
}
