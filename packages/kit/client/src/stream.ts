import { INTERNALS, type Internals } from './internals.ts';
import { readList } from './stream/read-list.ts';
import type { CallOptions } from './types.ts';

/**
 * Yields the items of a list one by one as they arrive, in constant memory. Once the list has begun nothing is repeated,
 * `timeout` is the longest time without an item, and `budget` no longer counts. Leaving the loop closes the connection.
 * `client` is a client of a contract, or a double with the method.
 *
 * @throws {ApiError} if the API rejects the call.
 * @throws {ConnectionError} if the connection breaks; a {@link TimeoutError} if it falls silent.
 * @throws {UnexpectedReplyError} if the response is not a complete JSON list.
 * @throws {InexactIntegerError} at an integer beyond ±(2^53−1).
 */
export async function* streamList(
  client: object,
  operation: string,
  input: object = {},
  options: CallOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const { [INTERNALS]: internals } = client as { readonly [INTERNALS]?: Internals };
  if (internals) return yield* readList(internals, operation, { ...input }, options);
  const double = client as Record<string, (input: object, options: CallOptions) => Promise<unknown[]>>;
  yield* (await double[operation]?.(input, options)) ?? [];
}
