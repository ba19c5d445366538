// By the package's name, so that this entry throws the very classes that the main one exports.
import {
  InexactIntegerError,
  TimeoutError,
  UnexpectedReplyError,
  type CallOptions,
  type OperationId,
} from '@petstore/client';
import { MAX_LENGTH, weightOf } from '../answer.ts';
import { failure } from '../errors.ts';
import { hasExactNumbers } from '../exact-integers.ts';
import type { Internals } from '../internals.ts';
import { INEXACT, type StreamedReply } from '../reply.ts';
import { follow, startTimer } from '../timer.ts';
import { createListParser } from './list-parser.ts';

// Few items at a time are alive, so that the garbage collector keeps its young generation small.
const SLICE = 8192;

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
): AsyncGenerator<unknown, StreamedReply, undefined> {
  const reply = (await send(operation, input, options, true)) as StreamedReply;
  const { signal, timeout = standard } = options;
  const body = dataOf(reply);
  // Of a fetch whose bodies are none of the standard's, such as node-fetch's, it has been read.
  if (Array.isArray(body)) {
    yield* body;
    return reply;
  }

  const { details, broken } = reply;
  const unexpected = (cause?: unknown) =>
    failure(UnexpectedReplyError, details, 'unexpected_reply', 'the response is not a complete list', cause);

  const list = createListParser();

  function parse(bytes?: Uint8Array): unknown[] {
    try {
      const items = list(bytes);
      if (hasExactNumbers(items)) return items;
    } catch (cause) {
      throw unexpected(cause);
    }
    throw failure(InexactIntegerError, details, 'inexact_integer', INEXACT);
  }

  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const close = async () => {
    try {
      await reader?.cancel();
    } catch {
      // It is closed, or a double that cannot be.
    }
  };
  const unfollow = signal && follow(signal, () => void close());
  // Spaces, or an item without end, are a silence as well.
  let silence = startTimer(timeout, signal);
  let weight = 0;

  async function read(): Promise<Uint8Array | undefined> {
    try {
      reader ??= (body as ReadableStream<Uint8Array>).getReader();
      const { value } = await silence.race(reader.read());
      if (value) weight += weightOf(value);
      return value;
    } catch (thrown) {
      if (signal?.aborted) throw signal.reason;
      throw silence.signal.aborted
        ? failure(TimeoutError, details, 'timeout', 'the list fell silent')
        : broken(thrown);
    }
  }

  try {
    for (let chunk = await read(); chunk; chunk = await read()) {
      for (let start = 0; start < chunk.length; start += SLICE) {
        const arrived = parse(chunk.subarray(start, start + SLICE));
        if (arrived.length === 0) continue;
        weight = 0;
        silence.end();
        yield* arrived;
      }
      if (weight === 0) silence = startTimer(timeout, signal);
      // Chunks without content and without end leave no time for the timer.
      if (weight > MAX_LENGTH) throw unexpected();
    }
    parse();
    return reply;
  } finally {
    silence.end();
    unfollow?.();
    void close();
  }
}
