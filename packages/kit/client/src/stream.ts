import type { CallOptions, Data, OperationId, Order, PetstoreMethods } from './index.ts';
import { INTERNALS, type Internals } from './internals.ts';
import { readList } from './stream/read-list.ts';

type ListOf<Id extends OperationId> = Extract<Data<Id>, readonly unknown[]>;

/** The operations that answer with a list. */
export type ListId = {
  [Id in OperationId]: [ListOf<Id>] extends [never] ? never : Id;
}[OperationId];

/** What is in the list that an operation answers with. */
export type Item<Id extends ListId> = ListOf<Id>[number];

/**
 * Yields the items of a list one by one as they arrive, in constant memory. Once the list has begun nothing is repeated,
 * `timeout` is the longest time without an item, and `budget` no longer counts. Leaving the loop closes the connection.
 *
 * @throws {ApiError} if the API refuses the call.
 * @throws {ConnectionError} if the connection breaks; a {@link TimeoutError} if it falls silent.
 * @throws {UnexpectedReplyError} if the response is not a complete JSON list.
 * @throws {InexactIntegerError} at an integer beyond ±(2^53−1).
 */
export async function* stream<Id extends ListId>(
  petstore: PetstoreMethods<Id>,
  operation: Id,
  ...[input, options = {}]: Parameters<PetstoreMethods<Id>[Id]>
): AsyncGenerator<Item<Id>, void, undefined> {
  const { [INTERNALS]: internals } = petstore as { readonly [INTERNALS]?: Internals };
  if (internals) {
    yield* readList(internals, operation, { ...input }, options) as AsyncGenerator<Item<Id>, void, undefined>;
    return;
  }
  const double = petstore as unknown as Record<Id, (...args: unknown[]) => Promise<Item<Id>[]>>;
  yield* await double[operation](input, options);
}

/** Lists the orders one by one as they arrive: `stream(petstore, 'listOrders', {}, options)`. */
export function streamOrders(
  petstore: PetstoreMethods<'listOrders'>,
  options?: CallOptions,
): AsyncGenerator<Order, void, undefined> {
  return stream(petstore, 'listOrders', {}, options);
}
