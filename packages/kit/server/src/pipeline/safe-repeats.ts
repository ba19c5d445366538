import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, hash } from 'node:crypto';
import type { Request } from 'express';
import type { Query } from '../database/sql.ts';
import { pipelineError } from '../http/api-error.ts';
import type { FirstRequest, KeptResponse, ResponseStore } from '../idempotency/response-store.ts';
import { contextOf, operationIdOf } from './request-context.ts';
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
   * Rejects with an ApiError, 409, while the first one is under way or if its response was not kept, and with 422 if it
   * was another request (draft-ietf-httpapi-idempotency-key-header §2.6, §2.7).
   */
  run(req: Request, key: string, handle: () => Handled): Promise<ResponseContent>;
  /** `transaction`, which also keeps the response that it returns to a handler. */
  keeping<Stores>(transaction: Transaction<Stores>): Transaction<Stores>;
}

type Handled = ResponseContent | Promise<ResponseContent>;

/** The first request with a key, while its handler runs. */
interface Claim {
  readonly id: string;
  readonly req: Request;
  /** What a transaction has returned and kept. */
  kept?: { readonly content: unknown; readonly response: KeptResponse } | undefined;
}

export function createSafeRepeats(store: ResponseStore): SafeRepeats {
  const claims = new AsyncLocalStorage<Claim>();
  /** Requests of this process by the ids of their keys, with what the store knows of an earlier one. */
  const underWay = new Map<
    string,
    { readonly fingerprint: string; readonly first: Promise<FirstRequest | undefined> }
  >();

  async function handleFirst(claim: Claim, handle: () => Handled): Promise<ResponseContent> {
    const { id, req } = claim;
    let content: ResponseContent;
    try {
      content = await claims.run(claim, handle);
    } catch (error) {
      await store.release(id).catch(() => undefined);
      throw error;
    }
    if (content === claim.kept?.content) return claim.kept.response;
    const response = await wholeResponse(req, content, MAX_KEPT);
    // Only a repeat needs it: the client of this request gets its response in any case.
    await store[fateOf(response, content)](id, response as KeptResponse).catch(() => undefined);
    return response ?? content;
  }

  return {
    async run(req, key, handle) {
      const id = idOf(req, key);
      const { fingerprint = '' } = contextOf(req);
      const other = underWay.get(id);
      if (other) {
        const first = (await other.first) ?? { fingerprint: other.fingerprint, isUnderWay: true };
        return repeatOf(first, fingerprint);
      }
      const claimed = store.claim(id, fingerprint);
      underWay.set(id, { fingerprint, first: claimed });
      try {
        const first = await claimed;
        return first ? repeatOf(first, fingerprint) : await handleFirst({ id, req }, handle);
      } finally {
        underWay.delete(id);
      }
    },

    keeping: (transaction) => async (work) => {
      // Here, because a queue may run `work` on behalf of another request.
      const claim = claims.getStore();
      if (!claim) return transaction(work);
      let kept: Claim['kept'];
      const result = await transaction(async (stores, query) => {
        const content = await work(stores, query);
        const response = isResponse(content) ? await wholeResponse(claim.req, content, MAX_KEPT) : undefined;
        if (response && fateOf(response, response) === 'keep') {
          await store.keep(claim.id, response, query);
          kept = { content, response };
        }
        return content;
      });
      claim.kept = kept;
      return result;
    },
  };
}

/** The response to a repeat of `first`. Throws an ApiError if there is none. */
function repeatOf({ fingerprint, isUnderWay, response }: FirstRequest, ofRepeat: string): ResponseContent {
  if (fingerprint !== ofRepeat) throw pipelineError('idempotency_key_reused');
  if (response) return response;
  throw isUnderWay
    ? pipelineError('idempotency_key_in_use', { 'Retry-After': RETRY_AFTER })
    : pipelineError('idempotency_response_missing');
}

/** What becomes of a response: a repeat of a failure may succeed, and what took effect must not run again. */
function fateOf(
  response: KeptResponse | undefined,
  { status }: ResponseContent,
): 'keep' | 'omit' | 'release' {
  if (status >= 500 || status === 429) return 'release';
  return response && (response.body?.length ?? 0) <= MAX_KEPT ? 'keep' : 'omit';
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
  const context = contextOf(req);
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
