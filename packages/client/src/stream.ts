import type { CallOptions, Data, OperationId, Order, PetstoreMethods } from '@petstore/client';
import { internalsOf } from './internals.ts';
import type { StreamedReply } from './reply.ts';
import { nextPage } from './stream/next-page.ts';
import { readList } from './stream/read-list.ts';

type ListOf<Id extends OperationId> = Extract<Data<Id>, readonly unknown[]>;

/** The operations that answer with a list. */
export type ListId = {
  [Id in OperationId]: [ListOf<Id>] extends [never] ? never : Id;
}[OperationId];

/** What is in the list that an operation answers with. */
export type Item<Id extends ListId> = ListOf<Id>[number];

/**
 * Yields the items of a list one by one as they arrive, in the memory of a few of them, however long the list is. Where
 * the contract has its replies lead to the next page (a `Link` with `rel="next"`, RFC 8288), it goes on to that.
 *
 * Each request is paced and retried like any other, until the first byte of its list; after that nothing is repeated,
 * and a failure is thrown where the list broke off. `timeout` is then the longest time without an item, and
 * `budget`, which each page has anew, no longer counts. To leave the loop, or to abort the signal, closes the
 * connection. Of an object that `createPetstore` has not made, such as a test's, the method is called.
 *
 * @throws {ApiError} if the API refuses the call.
 * @throws {ConnectionError} if the connection breaks; a {@link TimeoutError} if it falls silent.
 * @throws {UnexpectedReplyError} if what arrives is not a complete JSON list, or links to a next page that cannot be followed.
 * @throws {InexactIntegerError} at an integer beyond ±(2^53−1).
 */
export async function* stream<Id extends ListId>(
  petstore: PetstoreMethods<Id>,
  operation: Id,
  ...[input, options = {}]: Parameters<PetstoreMethods<Id>[Id]>
): AsyncGenerator<Item<Id>, void, undefined> {
  const internals = internalsOf(petstore);
  if (!internals) {
    const double = petstore as unknown as Record<Id, (...args: unknown[]) => Promise<Item<Id>[]>>;
    yield* await double[operation](input, options);
    return;
  }
  const followed = new Set<string>();
  let page: Readonly<Record<string, unknown>> | undefined = { ...input };
  while (page) {
    const items = readList(internals, operation, page, options);
    const reply = yield* items as AsyncGenerator<Item<Id>, StreamedReply, undefined>;
    page = nextPage(operation, page, reply, followed);
  }
}

/** Lists the orders one by one as they arrive: `stream(petstore, 'listOrders', {}, options)`. */
export function streamOrders(
  petstore: PetstoreMethods<'listOrders'>,
  options?: CallOptions,
): AsyncGenerator<Order, void, undefined> {
  return stream(petstore, 'listOrders', {}, options);
}
