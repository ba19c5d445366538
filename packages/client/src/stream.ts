// By the package's name, so that this entry throws the very classes that the main one exports.
import {
  ConnectionError,
  InexactIntegerError,
  TimeoutError,
  UnexpectedReplyError,
  type CallOptions,
  type Order,
  type Petstore,
} from '@petstore/client';
import { JSONParser } from '@streamparser/json';
import { hasExactNumbers } from './exact-integers.ts';
import { internalsOf } from './internals.ts';
import { follow, startTimer } from './timer.ts';

const operation = 'listOrders';

const SPACE = 0x20;
const LIST = 0x5b;

// Few orders at a time are alive, so that the garbage collector keeps its young generation small.
const SLICE = 8192;

/**
 * Lists the orders one by one as they arrive, in the memory of a few of them, however long the list is.
 *
 * The request is paced and retried like any other, until the first byte of the list; after that nothing is repeated,
 * and a failure is thrown where the list broke off. `timeout` is then the longest silence within the list, and
 * `budget` no longer counts. To leave the loop, or to abort the signal, closes the connection.
 *
 * @throws {ApiError} if the API refuses the call.
 * @throws {ConnectionError} if the connection breaks; a {@link TimeoutError} if it falls silent.
 * @throws {UnexpectedReplyError} if what arrives is not a complete JSON list.
 * @throws {InexactIntegerError} at an integer beyond ±(2^53−1).
 */
export async function* streamOrders(
  petstore: Petstore,
  options: CallOptions = {},
): AsyncGenerator<Order, void, undefined> {
  const { signal } = options;
  const internals = internalsOf(petstore);
  const timeout = options.timeout ?? internals.timeout ?? 30_000;
  const reply = await internals.send(operation, {}, options, true);
  const body = internals.dataOf(operation, reply);
  const { status, requestId, rateLimit, attempts } = reply;
  const details = { operation, requestId, rateLimit, attempts } as const;

  const unexpected = (cause?: unknown) =>
    new UnexpectedReplyError(
      `${operation}: the response is not a complete list`,
      { ...details, status, code: 'unexpected_reply' },
      { cause },
    );
  if (!(body instanceof ReadableStream)) throw unexpected();

  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const close = () => void reader.cancel().catch(() => {});
  const unfollow = signal && follow(signal, close);

  async function read(): Promise<Uint8Array | undefined> {
    const timer = startTimer(timeout, signal);
    try {
      return (await timer.race(reader.read())).value;
    } catch (cause) {
      throw timer.signal.aborted
        ? new TimeoutError(`${operation}: the list fell silent`, { ...details, code: 'timeout' })
        : new ConnectionError(
            `${operation}: the list broke off`,
            { ...details, code: 'connection_failed' },
            { cause },
          );
    } finally {
      timer.end();
      signal?.throwIfAborted();
    }
  }

  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  let orders: Order[] = [];
  parser.onValue = ({ value }) => void orders.push(value as Order);
  let isList = false;

  function parse(bytes: Uint8Array): Order[] {
    const first = isList ? LIST : bytes.find((byte) => byte > SPACE);
    if (first === undefined) return [];
    if (first !== LIST) throw unexpected();
    isList = true;
    orders = [];
    try {
      parser.write(bytes);
      if (hasExactNumbers(orders)) return orders;
    } catch (cause) {
      throw unexpected(cause);
    }
    throw new InexactIntegerError(`${operation}: the response has an integer beyond 2^53`, {
      ...details,
      status,
      code: 'inexact_integer',
    });
  }

  try {
    for (let chunk = await read(); chunk; chunk = await read()) {
      for (let start = 0; start < chunk.length; start += SLICE)
        yield* parse(chunk.subarray(start, start + SLICE));
    }
    if (!parser.isEnded) throw unexpected();
  } finally {
    unfollow?.();
    close();
  }
}
