import { JSONParser, TokenType } from '@streamparser/json';
import { hasExactNumbers } from '@contract-kit/core/json';
import { follow } from '#platform';
import { INTERNALS, type Internals } from './internals.ts';
import { INEXACT, MAX_LENGTH, type StreamedReply } from './reply.ts';
import { startTimer } from './timer.ts';
import type { CallOptions } from './types.ts';

/** Yields the items of a list as they arrive. `client` is a client of a contract, or a double with the method. */
export async function* streamList(
  client: object,
  operation: string,
  input: object = {},
  options: CallOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const { [INTERNALS]: internals } = client as { readonly [INTERNALS]?: Internals };
  if (!internals) {
    const double = client as Record<string, (input: object, options: CallOptions) => Promise<unknown[]>>;
    return yield* (await double[operation]?.(input, options)) ?? [];
  }
  const { send, dataOf, failure, InexactIntegerError, TimeoutError, UnexpectedReplyError } = internals;
  const reply = (await send(operation, { ...input }, options, true)) as StreamedReply;
  const { signal, timeout = internals.timeout } = options;
  const reader = (dataOf(reply) as ReadableStream<Uint8Array>).getReader();
  const { details, broken } = reply;
  const parse = createListParser();
  const unexpected = (cause?: unknown) =>
    failure(UnexpectedReplyError, details, 'unexpected_reply', 'the response is not a complete list', {
      cause,
    });

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
      signal?.throwIfAborted();
      if (!silence.signal.aborted) throw broken(thrown);
      throw failure(TimeoutError, details, 'timeout', 'the list fell silent');
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

/** Returns the items that each piece of a JSON list in UTF-8 completes. Called without bytes, it throws if one is missing. */
function createListParser(): (bytes?: Uint8Array) => unknown[] {
  // It skips one byte order mark, as `Response.text` does (RFC 8259 §8.1).
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  let isStarted = false;
  let items: unknown[] = [];
  parser.onToken = ({ token }) => {
    if (!isStarted && token !== TokenType.LEFT_BRACKET) throw new SyntaxError('This is not a list.');
    isStarted = true;
  };
  parser.onValue = ({ value }) => void items.push(value);
  return (bytes) => {
    items = [];
    const text = decoder.decode(bytes, { stream: !!bytes });
    if (text) parser.write(text);
    if (!bytes && !parser.isEnded) throw new SyntaxError('The list is not complete.');
    return items;
  };
}
