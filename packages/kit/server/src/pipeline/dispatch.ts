import type { Contract, Operation } from '@contract-kit/core';
import { idempotencyKeyOf } from '@contract-kit/core/idempotency-key';
import { bodyKindOf, entryOf } from '@contract-kit/core/media-type';
import { exampleHeader } from '@contract-kit/core/pipeline-headers';
import type { RequestHandler } from 'express';
import type { ActiveKey } from '../keys/key-store.ts';
import type { ValidInput } from '../validation/request-validator.ts';
import { contextOf } from './request-context.ts';
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
  { operations }: Contract,
  { handlers, examples, safeRepeats }: DispatchOptions,
): RequestHandler {
  const keyHeaders = new Map(
    Object.entries(operations).map(([id, operation]) => [id, idempotencyKeyOf(operation)] as const),
  );
  const shown = new Map(
    Object.entries(examples).map(
      ([id, example]) => [id, withItems(withBytes(example, operations[id]), operations[id])] as const,
    ),
  );
  for (const operationId of Object.keys(operations)) {
    if (typeof handlers[operationId] !== 'function')
      throw new Error(`the operation ${operationId} has no handler`);
  }
  return async (req, res, next) => {
    const { match, caller, input, headers: always } = contextOf(req);
    if (match.kind !== 'operation') {
      next();
      return;
    }
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
    const run = () => handle({ path, query, headers, cookies, body, caller: key }, new LazyContext(req, res));
    const keyHeader = keyHeaders.get(match.operationId);
    const idempotencyKey = keyHeader === undefined ? undefined : (headers[keyHeader] as string | undefined);
    const answer = idempotencyKey === undefined ? run() : safeRepeats.run(req, idempotencyKey, run);
    await respond(req, res, await answer);
  };
}

/** An example whose text is sent as bytes, so that `Accept` chooses among several types of them. */
function withBytes(example: ResponseContent, operation: Operation | undefined): ResponseContent {
  const { status, body } = example;
  const type = entryOf(operation?.responseTypes ?? {}, status) ?? '';
  const isBytes = type.includes('/') && bodyKindOf(type) === 'bytes';
  return isBytes && typeof body === 'string' ? { ...example, body: Buffer.from(body) } : example;
}

/** An example with a stream of its items, which are a list. */
function withItems(example: ResponseContent, operation: Operation | undefined): ResponseContent {
  const { status, body } = example;
  const types = Object.keys(entryOf(operation?.streams ?? {}, status) ?? {});
  const isWhole = !entryOf(operation?.responseTypes ?? {}, status)?.includes('/');
  if (types.length === 0 || isWhole || !Array.isArray(body)) return example;
  const items: readonly unknown[] = body;
  return { ...example, body: { [Symbol.asyncIterator]: () => itemsOf(items) } };
}

function itemsOf(items: readonly unknown[]): AsyncIterator<unknown> {
  const iterator = items.values();
  return { next: () => Promise.resolve(iterator.next()) };
}
