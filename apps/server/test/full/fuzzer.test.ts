import { fuzz, operations, startTarget } from '../fuzz/conformance.ts';
import { KEY } from '../fuzz/requests.ts';
import type { Answer } from '../fuzz/oracle.ts';
import type { RawRequest } from '../support/raw.ts';

/* The fuzzer itself: that it finds what it is for, and says how to see it again. */

const SEED = 20261121;
let target: Awaited<ReturnType<typeof startTarget>>;

beforeAll(async () => {
  target = await startTarget();
});

const operationOf = (id: string) => operations.find((each) => each.id === id) as (typeof operations)[number];

/** What is said of a service whose handlers do what `sabotage` says. */
async function saidOf(sabotage: object, id = 'getPet'): Promise<string> {
  const sabotaged = await startTarget(sabotage);
  const outcome = fuzz(operationOf(id), sabotaged, { seed: SEED, numRuns: 150 });
  return outcome.then(() => 'nothing', String).finally(() => sabotaged.stop());
}

const fail = () => {
  throw new Error('secret');
};
const notFound = { code: 'pet_not_found', message: 'No.', status: 404 };

test.each([
  ['fails', fail, 'the server failed: 500'],
  [
    'fails for one id in many',
    ({ path }: { path: { petId: bigint } }) =>
      path.petId > 2n ** 62n ? fail() : { status: 404, body: notFound },
    'the server failed: 500',
  ],
  ['answers with an undeclared status', () => ({ status: 202 }), 'the status 202 is not declared'],
  ['answers with another shape', () => ({ status: 200, body: { id: '1' } }), 'body/id must be integer'],
  ['answers without the body', () => ({ status: 200 }), 'Content-Type is none, not application/json'],
  [
    'answers with a code of another status',
    () => ({ status: 404, body: { ...notFound, code: 'unauthorized' } }),
    'the code unauthorized does not come with 404',
  ],
  [
    'refuses what is valid',
    () => ({ status: 400, body: { code: 'invalid_request', message: 'No.', status: 400 } }),
    'a valid request is answered with 400',
  ],
])('a handler that %s is reported, with the seed and the request', async (_, getPet, problem) => {
  const said = await saidOf({ getPet });
  expect(said).toContain(problem);
  expect(said).toContain(`seed: ${SEED}`);
  expect(said).toMatch(/: (?:GET|HEAD) \/v1\/pets\//);
});

test('what is reported is the simplest request that fails, and the same each time', async () => {
  const cancelOrder = ({ path }: { path: { orderId: bigint } }) =>
    path.orderId > 20n ? fail() : { status: 204 };
  const said = await saidOf({ cancelOrder }, 'cancelOrder');
  expect(said).toContain('DELETE /v1/store/orders/21\n');
  expect(await saidOf({ cancelOrder }, 'cancelOrder')).toBe(said);
});

/** What gets something wrong between the fuzzer and the real service, as a service with a bug would. */
interface Tampering {
  readonly request?: (asked: RawRequest) => Partial<RawRequest>;
  readonly answer?: (answer: Answer, asked: RawRequest) => Partial<Answer>;
}

async function saidThrough({ request, answer }: Tampering): Promise<string> {
  const ask = async (asked: RawRequest) => {
    const given = await target.ask({ ...asked, ...request?.(asked) });
    return { ...given, ...answer?.(given, asked) };
  };
  return saidWith(ask);
}

async function saidWith(ask: typeof target.ask, timeout = 5_000): Promise<string> {
  // Nothing is shrunk: that takes long, and what is found is known here.
  const parameters = { seed: SEED, numRuns: 150, endOnFailure: true, timeout };
  return fuzz(operationOf('getPet'), { ...target, ask }, parameters).then(
    () => 'nothing',
    (error: Error) => `${error.message} ${String(error.cause)}`,
  );
}

test('what gets nothing wrong is not reported', async () => {
  expect(await saidThrough({})).toBe('nothing');
});

const isCredential = ([name]: readonly [string, string]) => name.toLowerCase() === 'authorization';
const withHeader = (name: string, value: string) => (answer: Answer) => ({
  headers: { ...answer.headers, [name]: value },
});
const withoutHeader = (left: string) => (answer: Answer) => ({
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== left)),
});

const tamperings: [string, Tampering, string | RegExp][] = [
  [
    'lets everyone in',
    {
      request: ({ headers }) => ({
        headers: [...headers.filter((each) => !isCredential(each)), ['Authorization', `Bearer ${KEY}`]],
      }),
    },
    /is answered with (?:200|404), not with 40[01]/,
  ],
  [
    'ignores the query',
    { request: ({ target }) => ({ target: target.replace(/\?.*/s, '') }) },
    'an undeclared query parameter is answered with',
  ],
  [
    'takes any method for the one there is',
    { request: ({ method }) => (method === 'PATCH' ? { method: 'GET' } : {}) },
    /a method that the path does not have is answered with (?:200|404), not with 405/,
  ],
  [
    'rounds what it is sent',
    { request: ({ target }) => ({ target: target.replace(/\d{19,}$/, '1') }) },
    'an invalid request is answered with',
  ],
  [
    'never refuses because of the quota',
    {
      request: ({ headers }) => ({
        headers: headers.map(([name, value]) => [name, value.replace(/pst_TheKeyThatIsUsedUp\w*/, KEY)]),
      }),
    },
    'beyond the quota, is answered with',
  ],
  ['forgets Allow', { answer: withoutHeader('allow') }, "Allow is ''"],
  [
    'forgets when the limit resets',
    { answer: withoutHeader('x-ratelimit-reset') },
    'the header X-RateLimit-Reset is missing',
  ],
  [
    'lets a reply be kept',
    { answer: withHeader('cache-control', 'max-age=60') },
    'Cache-Control is not no-store',
  ],
  ['says what it runs on', { answer: withHeader('x-powered-by', 'PHP') }, 'X-Powered-By is there'],
  [
    'answers HEAD otherwise than GET',
    {
      answer: (answer, { method }) => (method === 'HEAD' ? withHeader('x-extra', '1')(answer) : {}),
    },
    'HEAD has x-extra: 1, but GET has undefined',
  ],
  ['cuts JSON off', { answer: ({ body }) => ({ body: body.slice(0, -1) }) }, 'the body is not JSON'],
];

test.each(tamperings)('a service that %s is reported', async (_, tampering, problem) => {
  expect(await saidThrough(tampering)).toMatch(problem);
});

test('a service that does not answer in time is reported', async () => {
  expect(await saidWith(() => new Promise(() => {}), 20)).toContain('exceeded limit of 20 milliseconds');
});
