import { RateLimitError, type Options } from '../src/index.ts';
import { createFake, type FakeOptions } from '../src/testing.ts';
import { createLibrary, fakeContract } from './support/library.ts';
import { rejection, virtualClock } from './support/served.ts';

/* Features of the fake alone: it keeps the promises of the service, which a test of a service compares. */

function start(options: FakeOptions = {}, ofClient: Options = {}) {
  const clock = virtualClock();
  const fake = createFake(fakeContract, { clock, ...options });
  const library = createLibrary({ apiKey: 'lib_test', clock, ...ofClient, fetch: fake.fetch });
  return { clock, fake, library };
}

const loans = 'https://api.library.example/v1/loans';
const headers = { authorization: 'Bearer lib_test' };

describe('an operation responds with', () => {
  test('the example of the contract, to any key and without limits', async () => {
    const { clock, library } = start();
    for (let count = 0; count < 100; count++)
      expect(await library.listLoans()).toEqual(fakeContract.examples['listLoans']?.body);
    expect(await library.cancelLoan({ loanId: 1 }).reply()).toMatchObject({ status: 204 });
    expect(clock.sleeps).toEqual([]);
  });

  test('the given data, API error, response or fetch failure, at each call', async () => {
    const { library } = start(
      {
        answers: {
          listLoans: { body: [{ id: 7 }], headers: { 'X-Other': 'one' } },
          cancelLoan: 'loan_already_returned',
          getBook: new Response('<h1>Busy</h1>', { status: 502 }),
        },
      },
      { maxAttempts: 2 },
    );
    for (let count = 0; count < 2; count++) {
      const reply = await library.listLoans().reply();
      expect([reply.body, reply.rawHeaders.get('x-other')]).toEqual([[{ id: 7 }], 'one']);
      const refusal = { status: 409, code: 'loan_already_returned' };
      await expect(library.cancelLoan({ loanId: 1 })).rejects.toMatchObject(refusal);
      await expect(library.getBook({ bookId: 1 })).rejects.toMatchObject({ status: 502, attempts: 2 });
    }
    const offline = start({ answers: { listLoans: new TypeError('fetch failed') } }).library;
    await expect(offline.listLoans()).rejects.toMatchObject({ code: 'connection_failed', attempts: 4 });
  });

  test('the result of a function of the request', async () => {
    const { library } = start({
      answers: {
        cancelLoan: async ({ path, query, request }) => {
          await Promise.resolve();
          expect([query.size, request.method]).toEqual([0, 'DELETE']);
          return path['loanId'] === '2' ? 'loan_already_returned' : {};
        },
      },
    });
    expect(await library.cancelLoan({ loanId: 1 })).toBeUndefined();
    await expect(library.cancelLoan({ loanId: 2 })).rejects.toMatchObject({ status: 409 });
  });
});

test('fail makes requests of one operation fail, in the order given, without counting them', async () => {
  const { fake, library } = start({ plan: { perMinute: 2, perDay: 2 } }, { maxAttempts: 1 });
  fake.fail(new TypeError('fetch failed'), { operation: 'cancelLoan' });
  fake.fail(new Response('<h1>Bad gateway</h1>', { status: 502 }), { times: 2, operation: 'cancelLoan' });
  fake.fail('service_unavailable', { operation: 'cancelLoan' });
  expect(await library.listLoans()).toHaveLength(2);
  for (const code of ['connection_failed', 'unexpected_reply', 'unexpected_reply', 'service_unavailable'])
    expect(await rejection(library.cancelLoan({ loanId: 1 }))).toMatchObject({ code });
  expect(await library.cancelLoan({ loanId: 1 }).reply()).toMatchObject({ rateLimit: { remaining: 0 } });
});

test.each([loans, new URL(loans), new Request(loans)])('fetch takes %p and its options', async (input) => {
  const { fetch } = createFake(fakeContract);
  expect((await fetch(input)).status).toBe(401);
  expect((await fetch(input, { headers })).status).toBe(200);
  const reason = new Error('no more');
  await expect(fetch(input, { headers, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('fake timers renew a quota', async () => {
  jest.useFakeTimers();
  const fake = createFake(fakeContract, { plan: { perMinute: 1, perDay: 10 } });
  const library = createLibrary({ apiKey: 'lib_test', fetch: fake.fetch, budget: 30_000 });
  await library.listLoans();
  await expect(library.listLoans()).rejects.toBeInstanceOf(RateLimitError);
  // The Date header and the end of the window are in whole seconds: up to one more.
  await jest.advanceTimersByTimeAsync(61_000);
  expect(await library.listLoans()).toHaveLength(2);
  jest.useRealTimers();
});

test.each<[string, () => unknown, RegExp]>([
  ['a plan without a quota', () => start({ plan: 'enterprise' }), /"enterprise" has no quota/],
  ['an unknown plan', () => start({ plan: 'gold' }), /"gold" has no quota/],
  ['an unknown code', () => start().fake.fail('nonsense'), /code nonsense/],
])('refuses %s', (_name, make, message) => {
  expect(make).toThrow(message);
});
