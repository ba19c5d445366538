import { setTimeout as sleep } from 'node:timers/promises';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { defineService } from '@contract-kit/server';
import type { AnyHandler } from '@contract-kit/server/internals';
import { createFuzzer } from '../src/fuzz/index.ts';
import { describeService } from '../src/index.ts';
import { createTestTools, listOf } from './support.ts';

/* The generated test of a service whose handlers stream. */

/** A wait that ends only with the signal. */
const forever = (signal: AbortSignal) => sleep(2 ** 30, undefined, { signal });

/** `first`, and nothing more after a wait. */
async function* then(first: readonly unknown[], wait: () => Promise<unknown>): AsyncGenerator<unknown> {
  yield* first;
  await wait();
}

const events = (data: string) => `{ text/event-stream: { schema: ${data} } }`;
const ok = (content: string) => `responses: { '200': { description: A., content: ${content} } }`;
const contract = contractOf(
  parseContract(`openapi: 3.2.0
info: { title: News, version: '1' }
paths:
  /news: { get: { operationId: watchNews, ${ok(events('{ type: integer }'))} } }
  /alerts: { get: { operationId: watchAlerts, ${ok(events('{ type: string }'))} } }
  /lines: { get: { operationId: listLines, ${ok('{ application/jsonl: { itemSchema: { type: integer } } }')} } }
  /answers:
    post:
      operationId: answer
      requestBody: { content: { application/json: { schema: { type: object, properties: { stream: { type: boolean } } } } } }
      ${ok('{ application/json: { schema: { type: integer } }, text/event-stream: { schema: { type: integer } } }')}
`),
  { name: 'news', keyPrefix: 'nws_', databaseFile: 'store.db' },
);
const handlers: Record<string, AnyHandler> = {
  watchNews: (_input, { signal }) => ({
    status: 200,
    body: then(
      [
        { id: '1', data: 1 },
        { retry: 5, data: 2 },
      ],
      () => forever(signal),
    ),
  }),
  watchAlerts: (_input, { signal }) => ({ status: 200, body: then([], () => forever(signal)) }),
  listLines: () => ({ status: 200, body: listOf(1, 2) }),
  answer: ({ body }) => {
    const { stream } = Object(body) as { stream?: boolean };
    return { status: 200, body: stream ? listOf({ data: 1 }, { data: 2 }) : 3 };
  },
};
const serviceOf = (replaced: Record<string, AnyHandler> = {}) =>
  defineService(
    contract,
    { news: { open: () => ({}), handlers: () => ({ ...handlers, ...replaced }) } },
    { version: '1.0.0', description: 'News.' },
  );

describe('a stream may have no end, and no item', () => {
  describeService(serviceOf());
});

async function fuzz(id: string, handler: AnyHandler): Promise<unknown> {
  const fuzzer = createFuzzer(contract);
  const [operation] = fuzzer.operations.filter((item) => item.id === id);
  if (!operation) throw new Error('no operation');
  const service = await createTestTools(serviceOf({ [id]: handler })).startTestService({
    validatesResponses: false,
  });
  return fuzzer.fuzz(operation, await fuzzer.targetOf(service), { seed: 1, numRuns: 20 });
}

test.each([
  ['watchNews', [{ data: 1 }, { data: 'two' }], /item\/data must be integer/],
  ['listLines', [1, 'two'], /item must be integer/],
])('an item that violates the contract is found: %s', async (id, items, problem) => {
  const handler: AnyHandler = (_input, { signal }) => ({
    status: 200,
    body: then(items, () => forever(signal)),
  });
  await expect(fuzz(id, handler)).rejects.toThrow(problem);
});

test('a stream that breaks off is found', async () => {
  const handler: AnyHandler = () => ({
    status: 200,
    body: then([1], () => Promise.reject(new Error('lost'))),
  });
  await expect(fuzz('listLines', handler)).rejects.toThrow('the last chunk is missing');
});
