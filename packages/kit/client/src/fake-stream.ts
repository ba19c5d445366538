import { itemText, entryOf, essenceOf, type StreamForm } from '@contract-kit/core/http';
import type { ClientOperation } from './client-contract.ts';
import type { Clock } from './options.ts';

/** The items of a stream. An Error among them breaks the connection, as one that is thrown does. */
export type FakeItems<Item = unknown> = Iterable<Item | Error> | AsyncIterable<Item | Error>;

/** The media type and the form of a body, if it is a stream: of a response that may be one or JSON, only if it is iterated. */
export function streamIn(
  definition: ClientOperation | undefined,
  status: number,
  body: unknown,
): [type: string, form: StreamForm] | undefined {
  const { responseTypes = {}, streams = {} } = definition ?? {};
  const forms = entryOf(streams, status) ?? {};
  const usual = essenceOf(entryOf(responseTypes, status) ?? '');
  const isIterated = Symbol.asyncIterator in Object(body);
  return Object.entries(forms).find(([type]) => type === usual || isIterated);
}

/** The body of a response with these items. Waits `delay` milliseconds before each, and reads none ahead. */
export function fakeStream(
  items: FakeItems,
  form: StreamForm,
  delay: number,
  clock: Pick<Clock, 'sleep'>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const ended = new AbortController();
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await iterator.next();
        if (next.done) return controller.close();
        if (delay > 0) await clock.sleep(delay, ended.signal);
        if (next.value instanceof Error) throw next.value;
        controller.enqueue(encoder.encode(itemText(next.value, form)));
      },
      async cancel() {
        ended.abort();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
