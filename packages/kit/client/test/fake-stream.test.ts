import { createClient, readStream, type Options } from '../src/index.ts';
import { createFake, type FakeHandler } from '../src/testing.ts';
import { collect, contract, rejection, virtualClock, type Library } from './support/streams.ts';

/* What the fake plays, read by the client. */

function play(answers: Readonly<Record<string, FakeHandler>>, options: Options = {}) {
  const clock = virtualClock();
  const examples = { watch: { status: 200, body: [{ id: '1', data: { a: 1 } }] } };
  const fake = createFake(
    { ...contract, examples, plans: {}, deprecations: {}, errorCodes: { service_unavailable: 503 } },
    { answers, clock },
  );
  const given = { apiKey: 'key_1', clock, fetch: fake.fetch, onWait: () => {}, ...options };
  return { clock, fake, library: createClient(contract, given, { readStream }) as Library };
}

test('the items of the contract’s example, or those of a list, each time', async () => {
  const items = [
    { data: { a: 'é\n' }, event: 'a', id: 'ü 1', retry: 10 },
    { data: 'two\n\nlines ', event: 'note' },
    { data: null },
  ];
  const { library } = play({ follow: { body: items }, list: { body: [1, [2], 'c', null] } });
  expect(await collect(library.watch())).toEqual([{ id: '1', data: { a: 1 } }]);
  for (let count = 0; count < 2; count++) {
    expect(await collect(library.follow())).toEqual(items);
    expect(await collect(library.list())).toEqual([1, [2], 'c', null]);
  }
});

test('the bytes of each format', async () => {
  const { fake } = play({
    follow: {
      body: [{ data: 'a\nb', event: 'note', id: '1', retry: 5 }, { data: [1] }],
      headers: { 'X-A': 'b' },
    },
    list: { body: [{ a: 1 }, 'é'] },
  });
  const ask = async (path: string) => {
    const headers = { authorization: 'Bearer key_1' };
    const response = await fake.fetch(`http://localhost:3000${path}`, { headers });
    return [
      response.status,
      response.headers.get('content-type'),
      response.headers.get('x-a'),
      await response.text(),
    ];
  };
  const events = 'event: note\nid: 1\nretry: 5\ndata: a\ndata: b\n\ndata: [1]\n\n';
  expect(await ask('/follow')).toEqual([200, 'text/event-stream', 'b', events]);
  expect(await ask('/list')).toEqual([200, 'application/jsonl', null, '{"a":1}\n"é"\n']);
});

test('delays before each item, by the clock of the fake', async () => {
  const { clock, library } = play({ list: { body: [1, 2, 3], delay: 60_000 } });
  const items = await library.list();
  expect(clock.sleeps).toEqual([]);
  await items.next();
  expect(clock.sleeps).toEqual([60_000]);
  expect(await collect(items)).toEqual([2, 3]);
  expect(clock.sleeps).toEqual([60_000, 60_000, 60_000]);
});

test('fake timers move delays', async () => {
  jest.useFakeTimers();
  try {
    const fake = createFake(
      { ...contract, examples: {}, plans: {}, deprecations: {}, errorCodes: {} },
      { answers: { list: { body: [1], delay: 60_000 } } },
    );
    const library = createClient(contract, { apiKey: 'key_1', fetch: fake.fetch }, { readStream }) as Library;
    const next = (await library.list()).next();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await next).toEqual({ done: false, value: 1 });
  } finally {
    jest.useRealTimers();
  }
});

test('a generator, which learns that the reader has left', async () => {
  let isLeft = false;
  async function* count() {
    try {
      for (let value = 1; ; value++) yield await Promise.resolve(value);
    } finally {
      isLeft = true;
    }
  }
  const { library } = play({ list: () => ({ body: count() }) });
  for await (const item of await library.list()) if (item === 3) break;
  await Promise.resolve();
  expect(isLeft).toBe(true);
});

test('an Error cuts the connection, and a test can see how its program resumes', async () => {
  const cut = new TypeError('terminated');
  const { fake, library } = play({
    list: { body: [1, cut, 2] },
    watch: ({ request }) =>
      request.headers.get('last-event-id') === '1'
        ? { body: [{ id: '2', data: 2 }] }
        : { body: [{ id: '1', data: 1 }, cut] },
  });
  const items = await library.list();
  expect((await items.next()).value).toBe(1);
  expect(await rejection(items.next())).toMatchObject({ name: 'ConnectionError' });
  const events = await library.watch();
  fake.fail('service_unavailable');
  expect((await events.next()).value).toEqual({ id: '1', data: 1 });
  expect(await collect(events)).toEqual([{ id: '2', data: 2 }]);
});

test.each([
  ['a name of two lines', { data: 1, event: 'a\nb' }, /the event of an event has a character that ends it/],
  ['an id of two lines', { data: 1, id: 'a\rb' }, /the id of an event has/],
  ['an id with U+0000', { data: 1, id: '\0' }, /the id of an event has/],
  ['a retry that is no integer', { data: 1, retry: 0.5 }, /the retry of an event is no number/],
])('an event with %s is a mistake of the test', async (_name, item, message) => {
  const { library } = play({ follow: { body: [item] } });
  const error = (await rejection((await library.follow()).next())) as Error;
  expect(error.message).toMatch(message);
});
