import { hasExactNumbers } from '@contract-kit/core/json';
import type { StreamForm } from '@contract-kit/core/http';
import { follow } from '#platform';
import {
  CallError,
  ConnectionError,
  failure,
  InexactIntegerError,
  TimeoutError,
  UnexpectedReplyError,
} from './errors.ts';
import type { ClientContract, ClientOperation } from './client-contract.ts';
import type { Position } from './event-stream.ts';
import { dataOf, INEXACT, type AnyReply, type StreamedReply } from './reply.ts';
import { createResumption, isResumable, type Again } from './resume.ts';
import { createItemReader, type ItemReader } from './stream-items.ts';
import { startTimer } from './timer.ts';

/** Milliseconds until a lost stream is connected again, unless it has a `retry`: those of browsers. */
const RETRY = 3000;

/** Milliseconds without a byte, after which a stream that can be resumed counts as lost: three comments of the server. */
const SILENCE = 45_000;

/** Gives a response that is a stream its items as its body. Any other stays as it is. */
export type StreamReader = (
  contract: ClientContract,
  definition: ClientOperation,
  reply: AnyReply,
  again: Again,
) => AnyReply;

export const readStream: StreamReader = (contract, definition, reply, again) => {
  if (!('form' in reply && reply.form)) return reply;
  // The error of a response that is no success.
  const checked: Again = async (changes) => {
    const next = await again(changes);
    dataOf(contract, next);
    return next;
  };
  return { ...reply, body: itemsOf(reply as StreamedReply, reply.form as StreamForm, definition, checked) };
};

/**
 * Yields items as they arrive. The end of the loop closes the connection. A lost event stream is resumed if its operation
 * has the header `Last-Event-ID`, and no item would come twice.
 */
function itemsOf(
  first: StreamedReply,
  form: StreamForm,
  definition: ClientOperation,
  again: Again,
): AsyncGenerator<unknown, void, undefined> {
  const { signal } = first.call.options;
  const ended = new AbortController();
  const position: Position = { lastEventId: undefined, retry: RETRY, isCalledBack: false };
  const mayResume = form.kind === 'events' && isResumable(definition);
  const resumption = createResumption(first, position, again, ended.signal);
  let reply = first;
  let reader = readerOf(reply);
  let count = 0;

  const close = () => {
    ended.abort();
    unfollow?.();
    void reader.cancel().catch(() => {});
  };
  const unfollow = signal && follow(signal, close);
  if (signal?.aborted) close();

  /** The next bytes, none at the end, or the error if the connection is lost. */
  async function nextBytes(): Promise<Uint8Array | CallError | undefined> {
    const silence = startTimer(mayResume ? SILENCE : Infinity);
    try {
      return (await silence.race(reader.read())).value;
    } catch (thrown) {
      if (!silence.signal.aborted) return reply.broken(thrown);
      return failure(TimeoutError, reply.details, 'timeout', 'the stream fell silent');
    } finally {
      silence.end();
    }
  }

  function* itemsIn(read: ItemReader, bytes?: Uint8Array): Generator<unknown, void, undefined> {
    try {
      for (const item of read(bytes)) {
        if (ended.signal.aborted) return;
        if (!hasExactNumbers(item))
          throw failure(InexactIntegerError, reply.details, 'inexact_integer', INEXACT);
        count++;
        yield item;
      }
    } catch (thrown) {
      if (thrown instanceof CallError) throw thrown;
      const { message, cause = thrown } = thrown as Error;
      const what = `item ${count + 1} of the stream ${message}`;
      throw failure(UnexpectedReplyError, reply.details, 'unexpected_reply', what, { cause });
    }
  }

  /** The items of one response. Returns the error if it is not complete. */
  async function* received(): AsyncGenerator<unknown, CallError | undefined, undefined> {
    const read = createItemReader(form, position);
    let bytes = await nextBytes();
    for (; bytes && !(bytes instanceof CallError); bytes = await nextBytes()) {
      resumption.reset();
      yield* itemsIn(read, bytes);
    }
    if (bytes) return bytes;
    yield* itemsIn(read);
    if (!position.isCalledBack) return undefined;
    return failure(ConnectionError, reply.details, 'connection_failed', 'the server ended the stream early');
  }

  async function* all(): AsyncGenerator<unknown, void, undefined> {
    try {
      while (!ended.signal.aborted) {
        const lost = yield* received();
        if (!lost || ended.signal.aborted) break;
        if (!mayResume || (count > 0 && !position.lastEventId)) throw lost;
        void reader.cancel().catch(() => {});
        const next = await resumption.resume(lost);
        if (!next) break;
        reply = next;
        reader = readerOf(reply);
      }
    } catch (thrown) {
      // Closed by the caller.
      if (!ended.signal.aborted) throw thrown;
    } finally {
      close();
    }
    signal?.throwIfAborted();
  }

  const items = all();
  const end = items.return.bind(items);
  // Before the first item, and while one is awaited, the generator's own would leave the connection open.
  return Object.assign(items, {
    return: () => {
      close();
      return end();
    },
  });
}

function readerOf({ body }: StreamedReply): ReadableStreamDefaultReader<Uint8Array> {
  return (body as ReadableStream<Uint8Array>).getReader();
}
