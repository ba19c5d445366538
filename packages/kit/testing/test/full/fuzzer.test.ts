import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorResponse } from '@contract-kit/server';
import { createFuzzer, type Answer, type Target } from '../../src/fuzz/index.ts';
import { curlOf } from '../../src/fuzz/report.ts';
import type { Case } from '../../src/fuzz/requests.ts';
import { contractFrom, contractText } from '@contract-kit/test-support/contracts';
import { contract, createTestTools, library } from '../support.ts';
import type { RawRequest } from '@contract-kit/server/internals';

/* The fuzzer finds each kind of fault, and reports how to reproduce it. */

const SEED = 20261121;
const { startTestService } = createTestTools(library);
const { operations, fuzz, keys, targetOf } = createFuzzer(contract);
let target: Target;

const getBook = ({ path: { bookId } }: { path: { bookId: bigint } }) =>
  bookId <= 40n && bookId % 2n === 0n
    ? {
        status: 200,
        headers: { ETag: '"7"' },
        body: { id: Number(bookId), name: 'Emma', kind: 'novel', author: null },
      }
    : errorResponse(404, 'book_not_found', `No book has the id ${bookId}.`);

/** The library as it runs in production. `handlers` stand in for its own. */
const startTarget = async (handlers: Readonly<Record<string, unknown>>) =>
  targetOf(await startTestService({ validatesResponses: false, handlers }));

beforeAll(async () => {
  target = await startTarget({ getBook });
});

const operationOf = (id: string) =>
  operations.find((operation) => operation.id === id) as (typeof operations)[number];

test('reports the seed, the simplest request that fails and the error, the same each time', async () => {
  const cancelLoan = ({ path }: { path: { loanId: bigint } }) => {
    if (path.loanId > 20n) throw new Error('secret');
    return { status: 204 };
  };
  const reported = async () => {
    const faulty = await startTarget({ cancelLoan });
    const outcome = fuzz(operationOf('cancelLoan'), faulty, { seed: SEED, numRuns: 150 });
    return outcome.then(() => 'nothing', String);
  };
  const report = await reported();
  expect(report).toMatch(/the server failed: 500\n[^]*\nError: secret\n +at .*fuzzer\.test\.ts:\d+/);
  expect(report).toContain(`FUZZ_SEED=${SEED}`);
  expect(report).toContain("--request DELETE 'http://localhost:3000/v1/loans/21'");
  expect(await reported()).toBe(report);
});

test('says what was expected and why, with a curl line that repeats the request', async () => {
  const wrong: unknown[] = [];
  const createLoan = ({ body }: { body: { days: number } }) => {
    wrong.push(body);
    return errorResponse(418 as 400, 'teapot', 'No.');
  };
  const service = await startTestService({ validatesResponses: false, handlers: { createLoan } });
  const faulty = await targetOf(service);
  const report = await fuzz(operationOf('createLoan'), faulty, { seed: SEED, numRuns: 50 }).then(
    () => 'nothing',
    ({ message }: Error) => message,
  );
  expect(report).toMatch(
    new RegExp(
      `^createLoan \\(POST /v1/loans\\) breaks the contract. Run it again with FUZZ_SEED=${SEED}.\n\n` +
        'the status 418 is not declared\n {2}expected: a status that the contract declares\n {2}rule: .*\n',
    ),
  );
  expect(report).toMatch(
    /\n {2}rule: {5}every parameter and the body satisfy the contract, so the handler is called\n/,
  );
  expect(report).toContain('\nresponse: 418 {"code":"teapot","message":"No.","status":418}');
  const [curl = ''] = /^curl .*$/m.exec(report) ?? [];
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', curl.replace('http://localhost:3000', service.origin)],
    {
      env: { ...process.env, LIBRARY_API_KEY: keys.usual },
    },
  );
  expect(stdout).toMatch(/^HTTP\/1.1 418 /);
  const [repeated, simplest] = wrong.toReversed();
  expect(repeated).toEqual(simplest);
});

test.each<[string, Partial<Case>, RegExp]>([
  ['quotes', { method: 'PUT', body: `it's "$HOME" \`x\`` }, /--data-raw 'it'\\''s "\$HOME" `x`'$/],
  ['bytes', { method: 'POST', body: Buffer.from([0, 255]) }, /--data-binary @\/.*\/body$/],
  ['control characters', { method: 'POST', body: 'a\u001b[2J' }, /--data-binary @\/.*\/body$/],
  ['a long body', { method: 'POST', body: 'a'.repeat(90_000) }, /--data-binary @\/.*\/body$/],
  ['HEAD', { method: 'HEAD' }, /^curl --include --head '/],
  ['a target that curl would change', { target: '/v1/../{a}?b[]=1' }, / --path-as-is --globoff 'http:/],
  [
    'the key in a header and in the query',
    { target: `/?key=${keys.usual}`, headers: [['Authorization', `Bearer ${keys.limited}`]] },
    / "http:\/\/localhost:3000\/\?key=\$KEY" --header "Authorization: Bearer \$KEY"$/,
  ],
  [
    'the key in Basic',
    { headers: [['Authorization', `Basic ${btoa(`:${keys.usual}`)}`]] },
    / --header "Authorization: Basic \$\(printf ':%s' "\$KEY" \| base64\)"$/,
  ],
])('a curl line has %s', (_, part, line) => {
  const request = { method: 'GET', target: '/v1', headers: [], ...part } as unknown as Case;
  expect(curlOf(request, { keys, keyVariable: 'KEY' })).toMatch(line);
});

test('sends each idempotency key once, even if few are possible', async () => {
  const few = contractFrom(
    contractText.replace('{ type: string, format: uuid }', '{ type: string, maxLength: 1 }'),
  );
  const { startTestService } = createTestTools({ ...library, contract: few });
  const fuzzer = createFuzzer(few);
  const [createBook] = fuzzer.operations.filter(({ id }) => id === 'createBook');
  if (!createBook) throw new Error('no operation');
  const book = { id: 7, name: 'Emma', kind: 'novel', author: null, price: 100, asked: 120 };
  const handlers = { createBook: () => ({ status: 201, headers: { Location: '/v1/books/7' }, body: book }) };
  const target = await fuzzer.targetOf(await startTestService({ handlers }));
  for (const seed of [1, 2, 3, 4]) await fuzzer.fuzz(createBook, target, { seed, numRuns: 20 });
});

function reportWith(ask: typeof target.ask, timeout = 5_000): Promise<string> {
  // Shrinking takes long, and the fault is known.
  const parameters = { seed: SEED, numRuns: 150, endOnFailure: true, timeout };
  return fuzz(operationOf('getBook'), { ...target, ask }, parameters).then(
    () => 'nothing',
    (error: Error) => `${error.message} ${String(error.cause)}`,
  );
}

/** The response of a service with a bug, instead of `answer`. */
type Fault = (answer: Answer, request: RawRequest) => Partial<Answer>;

const insteadOf200 =
  (wrong: Partial<Answer>): Fault =>
  ({ status }) =>
    status === 200 ? wrong : {};
const inBody =
  (right: string | RegExp, wrong: string): Fault =>
  ({ body }) => ({ body: body.replace(right, wrong) });
const withHeader =
  (name: string, value?: string): Fault =>
  ({ headers: { [name]: _, ...others } }) => ({ headers: value ? { ...others, [name]: value } : others });
const invalid = JSON.stringify({ code: 'invalid_request', message: 'No.', status: 400 });

test.each<[string, Fault, string | RegExp]>([
  ['nothing wrong', () => ({}), /^nothing$/],
  ['500', insteadOf200({ status: 500 }), 'the server failed: 500'],
  ['an undeclared status', insteadOf200({ status: 202 }), 'the status 202 is not declared'],
  ['another shape', inBody(/"id":(\d+)/, '"id":"$1"'), 'body/id must be integer'],
  ['half of a body', inBody(/.$/, ''), 'the body is not JSON'],
  ['no body', insteadOf200({ body: '' }), 'the body is missing'],
  ['the code of another status', inBody('book_not_found', 'unauthorized'), 'does not come with 404'],
  ['the status of another error', inBody('"status":404', '"status":400'), 'the body says 400, not 404'],
  ['a refusal of what is valid', insteadOf200({ status: 400, body: invalid }), 'a valid request gets 400'],
  ['no Allow', withHeader('allow'), "Allow is ''"],
  ['a required header left out', withHeader('x-ratelimit-reset'), 'X-RateLimit-Reset is missing'],
  ['more left than the limit', withHeader('x-ratelimit-limit', '1'), 'more requests remain than'],
  ['a sniffable type', withHeader('x-content-type-options'), 'X-Content-Type-Options is not nosniff'],
  ['a cacheable response', withHeader('cache-control', 'max-age=60'), 'Cache-Control is not no-store'],
  ['the name of a framework', withHeader('x-powered-by', 'PHP'), 'X-Powered-By is sent'],
  [
    'HEAD unlike GET',
    (answer, request) => (request.method === 'HEAD' ? withHeader('x-extra', '1')(answer, request) : {}),
    'HEAD has x-extra: 1, but GET has undefined',
  ],
])('reports a service that responds with %s', async (_, fault, problem) => {
  const report = reportWith(async (request) => {
    const answer = await target.ask(request);
    return { ...answer, ...fault(answer, request) };
  });
  expect(await report).toMatch(problem);
});

const isCredential = ([name]: readonly [string, string]) => name.toLowerCase() === 'authorization';

test.each<[string, (request: RawRequest) => Partial<RawRequest>, string | RegExp]>([
  ['rounds ids', ({ target }) => ({ target: target.replace(/\d{19,}$/, '1') }), 'an invalid request gets'],
  [
    'lets everybody in',
    ({ headers }) => ({
      headers: [
        ...headers.filter((header) => !isCredential(header)),
        ['Authorization', `Bearer ${keys.usual}`],
      ],
    }),
    / gets (?:200|40[04] \w+)\n +expected: 40[01]/,
  ],
  [
    'has no quota',
    ({ headers }) => ({
      headers: headers.map(([name, value]) => [name, value.replace(keys.limited, keys.usual)]),
    }),
    'beyond the quota, gets',
  ],
])('reports a service that %s', async (_, fault, problem) => {
  expect(await reportWith((request) => target.ask({ ...request, ...fault(request) }))).toMatch(problem);
});

test('reports a service that does not respond in time', async () => {
  expect(await reportWith(() => new Promise(() => {}), 20)).toContain('exceeded limit of 20 milliseconds');
});
