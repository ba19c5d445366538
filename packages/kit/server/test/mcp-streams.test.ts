import { once } from 'node:events';
import { shared, until } from '@contract-kit/test-support/testing';
import { connectMcp, textOf } from '@contract-kit/test-support/mcp-client';
import {
  forever,
  handlersOf,
  listOf,
  recorded,
  streaming,
  then,
  type Returned,
} from './library/streaming.ts';

/* Streams as results of tools. */

let body: Returned;
const service = shared(() => streaming.startTestService({ handlers: handlersOf(() => body) }));

let call: Awaited<ReturnType<typeof connectMcp>>['call'];
let client: Awaited<ReturnType<typeof connectMcp>>['client'];
beforeAll(async () => {
  ({ call, client } = await connectMcp(service.origin, await service.unlimitedKey()));
});

const event = (n: number) => ({ event: 'count', id: String(n), data: { n } });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => event(index + 1));

test('a stream that ends is given whole, and its schema has the items', async () => {
  body = () => listOf(...upTo(2));
  expect(await call('events')).toMatchObject({ structuredContent: { items: upTo(2), ended: true } });
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'events')?.outputSchema).toMatchObject({
    properties: { items: { type: 'array' }, ended: { type: 'boolean' } },
  });
});

test('of an endless one a call gives 100 items, reports them, and ends the stream', async () => {
  async function* endless() {
    for (let n = 1; ; n++) yield await Promise.resolve(event(n));
  }
  const { record, iterable } = recorded(endless());
  body = () => iterable;
  const updates: { progress: number; message?: string | undefined }[] = [];
  const onprogress = (update: (typeof updates)[number]) => void updates.push(update);
  const result = await client.callTool({ name: 'events', arguments: {} }, { onprogress });
  expect(result.structuredContent).toEqual({ items: upTo(100), ended: false });
  expect(textOf(result)).toMatch(
    /^These are 100 items\. The stream goes on\. Call again with Last-Event-ID "100" for the items after these\.$/m,
  );
  expect(updates[0]).toEqual({ progress: 1, message: 'Item 1 has arrived.' });
  await until(() => record.returned === 1);
});

test('HEAD of a stream gives no items', async () => {
  body = () => listOf({ data: 'a' });
  expect(await call('headOfChunks')).toMatchObject({ structuredContent: { outcome: 'Texts.' } });
});

test('a call with the id of the last item continues there', async () => {
  body = ({ headers }) => listOf(event(Number(headers['Last-Event-ID'] ?? headers['last-event-id']) + 1));
  expect(await call('events', { 'Last-Event-ID': '100' })).toMatchObject({
    structuredContent: { items: [event(101)], ended: true },
  });
});

test('long items end a call before, but it gives at least one', async () => {
  const long = { event: 'count', id: '1', data: { n: 1, long: 'x'.repeat(15_000) } };
  body = () => listOf(long, { ...long, id: '2' });
  const result = await call('events');
  expect(result.structuredContent).toEqual({ items: [long], ended: false });
});

test('a stream that breaks off gives its items, and says so', async () => {
  body = () =>
    then(upTo(2), () => {
      throw new Error('a bug');
    });
  const result = await call('events');
  expect(result.structuredContent).toEqual({ items: upTo(2), ended: false });
  expect(textOf(result)).toMatch(/^These are 2 items\. The stream broke off \(/m);
});

test('one that falls silent gives its items in time, and ends', async () => {
  const { record, iterable } = recorded(then(upTo(2), () => new Promise(() => undefined)));
  body = () => iterable;
  expect((await call('events')).structuredContent).toEqual({ items: upTo(2), ended: false });
  await until(() => record.returned === 1);
});

test('an error before the first item is that of any call', async () => {
  body = () =>
    then([], () => {
      throw new Error('a bug');
    });
  expect(textOf(await call('events'))).toContain('Code: internal_error.');
});

test('a client that leaves ends the stream', async () => {
  let signal: AbortSignal | undefined;
  body = (_input, context) => then(upTo(1), () => forever((signal = context.signal)));
  const leaving = new AbortController();
  const called = client.callTool({ name: 'events', arguments: {} }, { signal: leaving.signal });
  await until(() => signal !== undefined);
  const aborted = once(signal as unknown as AbortSignal, 'abort');
  leaving.abort();
  await expect(called).rejects.toThrow();
  await aborted;
});
