// By the package's name, so that this entry throws the very classes that the main one exports.
import {
  ConnectionError,
  InexactIntegerError,
  TimeoutError,
  UnexpectedReplyError,
  type CallOptions,
  type OperationId,
} from '@petstore/client';
import { JSONParser } from '@streamparser/json';
import { hasExactNumbers } from '../exact-integers.ts';
import type { Internals } from '../internals.ts';
import type { AnyReply } from '../reply.ts';
import { follow, startTimer } from '../timer.ts';

const SPACE = 0x20;
const LIST = 0x5b;

// RFC 8259 §8.1: it may be ignored, as `Response.text` does.
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

// Few items at a time are alive, so that the garbage collector keeps its young generation small.
const SLICE = 8192;

/** Chunks without content, of which a network gives none. */
const MAX_EMPTY = 10_000;

/**
 * Yields the items of one reply as they arrive, and returns the reply.
 *
 * @throws what `stream` throws.
 */
export async function* readList(
  { send, dataOf, timeout: standard }: Internals,
  operation: OperationId,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
): AsyncGenerator<unknown, AnyReply, undefined> {
  const reply = await send(operation, input, options, true);
  const { signal, timeout = standard ?? 30_000 } = options;
  const body = dataOf(reply);
  const { status, requestId, rateLimit, attempts } = reply;
  const details = { operation, requestId, rateLimit, attempts } as const;

  const unexpected = (cause?: unknown) =>
    new UnexpectedReplyError(
      `${operation}: the response is not a complete list`,
      { ...details, status, code: 'unexpected_reply' },
      { cause },
    );
  // Of a fetch whose bodies are none of the standard's, such as node-fetch's, it has been read.
  if (Array.isArray(body)) {
    yield* body;
    return reply;
  }

  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const close = () => void reader?.cancel().catch(() => {});
  const unfollow = signal && follow(signal, close);

  async function read(): Promise<Uint8Array | undefined> {
    const timer = startTimer(timeout, signal);
    try {
      reader ??= (body as ReadableStream<Uint8Array>).getReader();
      return (await timer.race(reader.read())).value;
    } catch (cause) {
      throw timer.signal.aborted
        ? new TimeoutError(`${operation}: the list fell silent`, { ...details, code: 'timeout' })
        : new ConnectionError(
            `${operation}: the list broke off`,
            { ...details, code: 'connection_failed' },
            { cause: reply.causeOf?.(cause) },
          );
    } finally {
      timer.end();
      signal?.throwIfAborted();
    }
  }

  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  let items: unknown[] = [];
  parser.onValue = ({ value }) => void items.push(value);
  let isList = false;

  function parse(bytes: Uint8Array): unknown[] {
    if (!isList) {
      const start = bytes.findIndex((byte) => byte > SPACE && !BYTE_ORDER_MARK.includes(byte));
      if (start < 0) return [];
      if (bytes[start] !== LIST) throw unexpected();
      bytes = bytes.subarray(start);
    }
    isList = true;
    items = [];
    try {
      parser.write(bytes);
      if (hasExactNumbers(items)) return items;
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
    let empty = 0;
    for (let chunk = await read(); chunk; chunk = await read()) {
      // A double may give texts, or nothing without end, which leaves no time for the timer.
      if (!ArrayBuffer.isView(chunk) || (!chunk.length && ++empty > MAX_EMPTY)) throw unexpected();
      for (let start = 0; start < chunk.length; start += SLICE)
        yield* parse(chunk.subarray(start, start + SLICE));
    }
    if (!parser.isEnded) throw unexpected();
    return reply;
  } finally {
    unfollow?.();
    close();
  }
}
