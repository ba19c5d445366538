import { fuzz, operations, startTarget } from '../fuzz/conformance.ts';
import { KEY } from '../fuzz/requests.ts';
import type { Answer } from '../fuzz/oracle.ts';
import type { RawRequest } from '../support/raw.ts';

/* The fuzzer itself: that it finds each kind of fault, and says how to see it again. */

const SEED = 20261121;
let target: Awaited<ReturnType<typeof startTarget>>;

beforeAll(async () => {
  target = await startTarget();
});

const operationOf = (id: string) => operations.find((each) => each.id === id) as (typeof operations)[number];

test('reports the seed and the simplest request that fails, the same each time', async () => {
  const cancelOrder = ({ path }: { path: { orderId: bigint } }) => {
    if (path.orderId > 20n) throw new Error('secret');
    return { status: 204 };
  };
  const reported = async () => {
    const faulty = await startTarget({ cancelOrder });
    const outcome = fuzz(operationOf('cancelOrder'), faulty, { seed: SEED, numRuns: 150 });
    return outcome.then(() => 'nothing', String).finally(() => faulty.stop());
  };
  const report = await reported();
  expect(report).toContain('the server failed: 500');
  expect(report).toContain(`seed: ${SEED}`);
  expect(report).toContain('DELETE /v1/store/orders/21\n');
  expect(await reported()).toBe(report);
});

/** A fault between the fuzzer and the real service, as a service with a bug would have it. */
interface Fault {
  readonly request?: (request: RawRequest) => Partial<RawRequest>;
  readonly answer?: (answer: Answer, request: RawRequest) => Partial<Answer>;
}

function reportOf({ request, answer }: Fault): Promise<string> {
  return reportWith(async (asked) => {
    const given = await target.ask({ ...asked, ...request?.(asked) });
    return { ...given, ...answer?.(given, asked) };
  });
}

function reportWith(ask: typeof target.ask, timeout = 5_000): Promise<string> {
  // Shrinking takes long, and the fault is known here.
  const parameters = { seed: SEED, numRuns: 150, endOnFailure: true, timeout };
  return fuzz(operationOf('getPet'), { ...target, ask }, parameters).then(
    () => 'nothing',
    (error: Error) => `${error.message} ${String(error.cause)}`,
  );
}

const answering =
  (status: number, answer: Partial<Answer>) =>
  (given: Answer): Partial<Answer> =>
    given.status === status ? answer : {};
const withHeader = (name: string, value: string) => (answer: Answer) => ({
  headers: { ...answer.headers, [name]: value },
});
const withoutHeader = (left: string) => (answer: Answer) => ({
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== left)),
});
const invalid = JSON.stringify({ code: 'invalid_request', message: 'No.', status: 400 });

test.each<[string, Fault, string | RegExp]>([
  ['nothing wrong', {}, /^nothing$/],
  ['500', { answer: answering(200, { status: 500 }) }, 'the server failed: 500'],
  ['an undeclared status', { answer: answering(200, { status: 202 }) }, 'the status 202 is not declared'],
  ['another shape', { answer: answering(200, { body: '{"id":"1"}' }) }, 'body/id must be integer'],
  ['half of a body', { answer: ({ body }) => ({ body: body.slice(0, -1) }) }, 'the body is not JSON'],
  ['no body', { answer: answering(200, { body: '' }) }, 'the body is missing'],
  [
    'the code of another status',
    { answer: ({ body }) => ({ body: body.replace('pet_not_found', 'unauthorized') }) },
    'the code unauthorized does not come with 404',
  ],
  [
    'the status of another error',
    { answer: ({ body }) => ({ body: body.replace('"status":404', '"status":400') }) },
    'the body says 400, not 404',
  ],
  [
    'a refusal of what is valid',
    { answer: answering(200, { status: 400, body: invalid }) },
    'a valid request is answered with 400',
  ],
  [
    'an id that is rounded',
    { request: ({ target }) => ({ target: target.replace(/\d{19,}$/, '1') }) },
    'an invalid request is answered with',
  ],
  [
    'everybody let in',
    {
      request: ({ headers }) => ({
        headers: [...headers.filter(isNoCredential), ['Authorization', `Bearer ${KEY}`]],
      }),
    },
    /is answered with (?:200|404), not with 40[01]/,
  ],
  [
    'no quota',
    {
      request: ({ headers }) => ({
        headers: headers.map(([name, value]) => [name, value.replace(/pst_TheKeyThatIsUsedUp\w*/, KEY)]),
      }),
    },
    'beyond the quota, is answered with',
  ],
  ['no Allow', { answer: withoutHeader('allow') }, "Allow is ''"],
  [
    'a required header left out',
    { answer: withoutHeader('x-ratelimit-reset') },
    'X-RateLimit-Reset is missing',
  ],
  ['more left than the limit', { answer: withHeader('x-ratelimit-limit', '1') }, 'more requests remain than'],
  [
    'a sniffable type',
    { answer: withoutHeader('x-content-type-options') },
    'X-Content-Type-Options is not nosniff',
  ],
  [
    'a cacheable response',
    { answer: withHeader('cache-control', 'max-age=60') },
    'Cache-Control is not no-store',
  ],
  ['the name of a framework', { answer: withHeader('x-powered-by', 'PHP') }, 'X-Powered-By is there'],
  [
    'HEAD unlike GET',
    { answer: (answer, { method }) => (method === 'HEAD' ? withHeader('x-extra', '1')(answer) : {}) },
    'HEAD has x-extra: 1, but GET has undefined',
  ],
])('reports a service with %s', async (_, fault, problem) => {
  expect(await reportOf(fault)).toMatch(problem);
});

function isNoCredential([name]: readonly [string, string]): boolean {
  return name.toLowerCase() !== 'authorization';
}

test('reports a service that does not answer in time', async () => {
  expect(await reportWith(() => new Promise(() => {}), 20)).toContain('exceeded limit of 20 milliseconds');
});
