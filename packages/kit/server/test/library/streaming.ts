import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { defineService, type Feature, type HandlerContext } from '../../src/index.ts';
import { until } from '@contract-kit/test-support/testing';
import { createTestTools } from '../support/tools.ts';
import { contractFrom, idsIn } from '@contract-kit/test-support/contracts';
import { streamingText } from './streaming-contract.ts';

const contract = contractFrom(streamingText);

const all: Feature<object, Record<string, AnyHandler>> = {
  open: () => ({}),
  // Tests set them.
  handlers: () => Object.fromEntries(idsIn(contract).map((id) => [id, () => ({ status: 200 })])),
};

/** A service of streams in each format. */
export const streaming = createTestTools(
  defineService(contract, { all }, { version: '1.0.0', description: 'Streams.' }),
);

/** An iterable that records what becomes of it. */
export function recorded(items: Iterable<unknown> | AsyncIterable<unknown>) {
  const record = { asked: 0, returned: 0 };
  const iterable = {
    [Symbol.asyncIterator]() {
      const iterator =
        Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
      return {
        next: async () => {
          record.asked += 1;
          return iterator.next();
        },
        return: async () => {
          record.returned += 1;
          await iterator.return?.();
          return { done: true as const, value: undefined };
        },
      };
    },
  };
  return { record, iterable };
}

/** An iterable of items that are there. */
export const listOf = (...items: unknown[]) => recorded(items).iterable;

/** A wait that ends only with the signal. */
export const forever = (signal: AbortSignal) => sleep(2 ** 30, undefined, { signal });

/** `first`, and nothing more after a wait. */
export async function* then(
  first: readonly unknown[],
  wait: () => Promise<unknown>,
): AsyncGenerator<unknown> {
  yield* first;
  await wait();
}

/** The text so far of a response that has no end. */
export function readingOf(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  return async (wanted: string) => {
    while (!text.includes(wanted)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the response ended after ${JSON.stringify(text)}`);
      text += value;
    }
    return text;
  };
}

/** The line of the access log of a request. */
export async function logLine(
  { logged }: { readonly logged: readonly Record<string, unknown>[] },
  requestId: string,
): Promise<Record<string, unknown>> {
  const find = () => logged.find((line) => line['requestId'] === requestId && line['msg'] === 'request');
  await until(() => find() !== undefined);
  return find() ?? {};
}

export type Returned = (
  input: { readonly headers: Readonly<Record<string, string | undefined>> },
  context: HandlerContext,
) => unknown;

/** Handlers that return what `of` returns as their body. */
export function handlersOf(of: () => Returned): Record<string, AnyHandler> {
  const handler: AnyHandler = (input, context) => ({
    status: 200,
    body: of()(input as unknown as Parameters<Returned>[0], context),
  });
  return Object.fromEntries(idsIn(contract).map((id) => [id, handler]));
}
