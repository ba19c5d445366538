import { hasExactNumbers } from '../exact-integers.ts';
import type { Internals } from '../internals.ts';
import { follow } from '#platform';
import { INEXACT, MAX_LENGTH, type StreamedReply } from '../reply.ts';
import { startTimer } from '../timer.ts';
import type { CallOptions } from '../types.ts';
import { createListParser } from './list-parser.ts';

/** Yields the items of one response as they arrive. Throws what `stream` throws. */
export async function* readList(
  internals: Internals,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  const { send, dataOf, failure, InexactIntegerError, TimeoutError, UnexpectedReplyError } = internals;
  const reply = (await send(operation, input, options, true)) as StreamedReply;
  const { signal, timeout = internals.timeout } = options;
  const reader = (dataOf(reply) as ReadableStream<Uint8Array>).getReader();
  const { details, broken } = reply;
  const parse = createListParser();
  const unexpected = (cause?: unknown) =>
    failure(UnexpectedReplyError, details, 'unexpected_reply', 'the response is not a complete list', cause);

  function itemsOf(bytes?: Uint8Array): unknown[] {
    try {
      const items = parse(bytes);
      if (hasExactNumbers(items)) return items;
    } catch (cause) {
      throw unexpected(cause);
    }
    throw failure(InexactIntegerError, details, 'inexact_integer', INEXACT);
  }

  // It is already closed or broken.
  const close = () => void reader.cancel().catch(() => {});
  const unfollow = signal && follow(signal, close);
  // Spaces or an endless item also count as silence.
  let silence = startTimer(timeout, signal);

  async function read(): Promise<Uint8Array | undefined> {
    try {
      return (await silence.race(reader.read())).value;
    } catch (thrown) {
      if (signal?.aborted) throw signal.reason;
      throw silence.signal.aborted
        ? failure(TimeoutError, details, 'timeout', 'the list fell silent')
        : broken(thrown);
    }
  }

  try {
    let length = 0;
    for (let chunk = await read(); chunk; chunk = await read()) {
      length += chunk.length;
      if (length > MAX_LENGTH) throw unexpected();
      const items = itemsOf(chunk);
      if (items.length === 0) continue;
      length = 0;
      silence.end();
      yield* items;
      silence = startTimer(timeout, signal);
    }
    itemsOf();
  } finally {
    silence.end();
    unfollow?.();
    close();
  }
}
