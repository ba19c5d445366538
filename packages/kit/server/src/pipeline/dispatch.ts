import { responseFor, type Model, type Operation } from '@contract-kit/core/model';
import { exampleHeader } from '../http/headers.ts';
import type { RequestHandler, Response } from 'express';
import type { ActiveKey } from '../keys/key-store.ts';
import type { ValidInput } from '../validation/request-validator.ts';
import { heldBody, isAsyncIterable } from '../http/file-body.ts';
import { isAtomic } from './atomic.ts';
import { requestContextOf, throwIfEnded } from './request-context.ts';
import { LazyContext, type HandlerContext } from './handler-context.ts';
import { pipelineError } from '../http/api-error.ts';
import type { SafeRepeats } from './safe-repeats.ts';
import { respond, type ResponseContent } from './respond.ts';

export type AnyHandler = (
  input: ValidInput & { readonly caller: ActiveKey | undefined },
  context: HandlerContext,
) => ResponseContent | Promise<ResponseContent>;

/** The handler of an operation that is not implemented yet. It responds with 501, or with an example in a demonstration. */
export function notYet(): never {
  throw pipelineError('not_implemented');
}

export interface DispatchOptions {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Responses that replace handlers. */
  readonly examples: Readonly<Record<string, ResponseContent>>;
  readonly safeRepeats: SafeRepeats;
}

/** Passes the validated request to its operation's handler, or responds with its entry in `examples`. */
export function dispatch(
  { operations, operationOf }: Model,
  { handlers, examples, safeRepeats }: DispatchOptions,
): RequestHandler {
  const shown = new Map(
    Object.entries(examples).map(([id, example]) => [id, asSent(example, operationOf.get(id))] as const),
  );
  for (const { id } of operations)
    if (typeof handlers[id] !== 'function') throw new Error(`the operation ${id} has no handler`);
  return async (req, res, next) => {
    const context = requestContextOf(req);
    const { match, caller, input, headers: always } = context;
    if (match.kind !== 'operation') {
      next();
      return;
    }
    throwIfEnded(context);
    const handle = handlers[match.operationId];
    if (!input || !handle) throw new Error(`a request for ${match.operationId} was not validated`);
    const example = shown.get(match.operationId);
    if (example) {
      always[exampleHeader] = 'true';
      await respond(req, res, example);
      return;
    }
    const key = caller?.kind === 'key' ? caller.key : undefined;
    const { path, query, headers, cookies, body } = input;
    const run = () => {
      context.isHandled = true;
      return handle({ path, query, headers, cookies, body, caller: key }, new LazyContext(req, res));
    };
    const keyHeader = match.operation.idempotencyKey;
    const idempotencyKey = keyHeader === undefined ? undefined : (headers[keyHeader] as string | undefined);
    const answer =
      idempotencyKey === undefined
        ? held(await run(), res)
        : // Its response is stored before it is sent.
          await safeRepeats.run(req, idempotencyKey, {
            isAtomic: isAtomic(handle),
            handle: async () => held(await run(), res),
          });
    // A stream is opened first, so that it is closed.
    if (!isAsyncIterable(answer.body)) throwIfEnded(context);
    await respond(req, res, answer);
  };
}

function held(content: ResponseContent, res: Response): ResponseContent {
  const body = heldBody(content.body, res);
  return body === content.body ? content : { ...content, body };
}

/**
 * An example whose text is sent as bytes, so that `Accept` chooses among several types of them; or with a stream of its
 * items, which are a list.
 */
export function asSent(example: ResponseContent, operation: Operation | undefined): ResponseContent {
  const { status, body } = example;
  const { media } = responseFor(operation?.responses ?? [], status) ?? {};
  if (media?.kind === 'bytes' && typeof body === 'string') return { ...example, body: Buffer.from(body) };
  if (!media?.form || !Array.isArray(body)) return example;
  const items: readonly unknown[] = body;
  return { ...example, body: { [Symbol.asyncIterator]: () => itemsOf(items) } };
}

function itemsOf(items: readonly unknown[]): AsyncIterator<unknown> {
  const iterator = items.values();
  return { next: () => Promise.resolve(iterator.next()) };
}
