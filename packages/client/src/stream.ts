// Generated from openapi.yaml by `npm run generate` of contract-kit 0.1.0. Edit openapi.yaml instead.

import { streamList } from '@contract-kit/client/stream';
import type { CallOptions, Order, PetstoreMethods, Petstore } from '@petstore/client';

/**
 * `listOrders`, item by item as they arrive, in constant memory. After the list has begun there are no retries, `timeout` is
 * the longest time without an item, and `budget` no longer counts. Leaving the loop closes the connection.
 *
 * @throws {ApiError} if the API rejects the call.
 * @throws {ConnectionError} if the connection breaks; a {@link TimeoutError} if it falls silent.
 * @throws {UnexpectedReplyError} if the response is not a complete JSON list.
 * @throws {InexactIntegerError} at an integer beyond ±(2^53−1).
 */
export function streamOrders(
  client: PetstoreMethods<'listOrders'>,
  options?: CallOptions,
): AsyncGenerator<Order, void, undefined> {
  return streamList(client, 'listOrders', {}, options) as AsyncGenerator<Order, void, undefined>;
}
