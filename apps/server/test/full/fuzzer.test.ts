import { execFile } from 'node:child_process';
import { curlLine } from '../fuzz/curl.ts';
import { describeFailure, fuzz, type Report, type Target } from '../fuzz/fuzz.ts';
import { startTarget } from '../fuzz/target.ts';
import { startTamperingProxy, type Tampering } from '../support/tampering-proxy.ts';
import { root } from '../support/workspace.ts';

/* The fuzzer itself: that it finds what it is for, and says how to see it again. */

jest.setTimeout(120_000);

const SEED = 20261121;
const RUNS = 150;

let target: Awaited<ReturnType<typeof startTarget>>;

beforeAll(async () => {
  target = await startTarget();
});

afterAll(() => target.stop());

function told({ failures }: Report): string {
  return failures.map(describeFailure).join('\n');
}

test('the same seed makes the same requests', async () => {
  const both = [await fuzz(target, { seed: 7, runs: 20 }), await fuzz(target, { seed: 7, runs: 20 })];
  const [first, second] = both.map(({ coverage }) => coverage.table());
  expect(first).toBe(second);
});

/** The report on a service whose handlers do what `sabotage` says. */
async function reportOnHandlers(sabotage: object, only = 'getPet'): Promise<Report> {
  const sabotaged = await startTarget(sabotage);
  try {
    return await fuzz(sabotaged, { seed: SEED, runs: RUNS, only });
  } finally {
    await sabotaged.stop();
  }
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
  [
    'answers with a body of another shape',
    () => ({ status: 200, body: { id: '1' } }),
    'body/id must be integer',
  ],
  ['answers with an undeclared property', () => ({ status: 200, body: { id: 1, owner: 'x' } }), '(owner)'],
  ['answers without the body', () => ({ status: 200 }), 'Content-Type is none, not application/json'],
  [
    'answers with text',
    () => ({ status: 200, body: 'Rex', headers: { 'Content-Type': 'text/plain' } }),
    'Content-Type is text/plain',
  ],
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
])('a handler that %s is reported, with the seed and a curl line', async (_, getPet, problem) => {
  const report = await reportOnHandlers({ getPet });
  expect(report.failures.map(({ operation }) => operation)).toContain('getPet');
  expect(told(report)).toContain(problem);
  expect(told(report)).toContain(`seed ${SEED}`);
  expect(told(report)).toMatch(/^ {2}curl .*'http:\/\/127\.0\.0\.1:\d+\/v1\/pets\/.*'$/m);
});

test('what is reported is shrunk to the simplest request that fails', async () => {
  const report = await reportOnHandlers(
    {
      cancelOrder: ({ path }: { path: { orderId: bigint } }) =>
        path.orderId > 20n ? fail() : { status: 204 },
    },
    'cancelOrder',
  );
  expect(report.failures).toHaveLength(1);
  expect(report.failures[0]?.curl).toContain(`/v1/store/orders/21'`);
});

/** The report on the real service behind a proxy that gets something wrong. */
async function reportOnProxy(tampering: Tampering, patience?: number): Promise<Report> {
  const proxy = await startTamperingProxy(target.origin, tampering);
  const behind: Target = { ...target, origin: proxy.origin };
  try {
    return await fuzz(behind, {
      seed: SEED,
      runs: RUNS,
      only: 'getPet',
      ...(patience !== undefined && { patience }),
    });
  } finally {
    proxy.stop();
  }
}

test('a proxy that gets nothing wrong is not reported', async () => {
  expect(told(await reportOnProxy({}))).toBe('');
});

const WELL_FORMED = /(?<=^Bearer )pst_\w{38}$/;

const tamperings: [string, Tampering, string][] = [
  [
    'lets everyone in',
    { request: ({ headers }) => void (headers['authorization'] = [`Bearer ${target.keys.valid}`]) },
    'is answered with 200, not with 401',
  ],
  [
    'ignores the query',
    { request: (request) => void (request.url = request.url.split('?', 1)[0] ?? '') },
    'an undeclared query parameter is answered with',
  ],
  [
    'takes any method for the one there is',
    { request: (request) => void (request.method = request.method === 'PATCH' ? 'GET' : request.method) },
    'a method that the path does not have is answered with 200, not with 405',
  ],
  [
    'rounds what it is sent',
    { request: (request) => void (request.url = request.url.replace(/\d{19,}$/, '1')) },
    'an invalid request is answered with',
  ],
  ['forgets Allow', { answer: ({ headers }) => void delete headers['allow'] }, "Allow is ''"],
  [
    'forgets when the limit resets',
    { answer: ({ headers }) => void delete headers['x-ratelimit-reset'] },
    'the header X-RateLimit-Reset is missing',
  ],
  [
    'forgets to say how long to wait',
    { answer: ({ headers }) => void delete headers['retry-after'] },
    'the header Retry-After is missing',
  ],
  [
    'never refuses because of the quota',
    {
      request({ headers }) {
        const authorized = headers['authorization']?.map((value) =>
          value.replace(WELL_FORMED, target.keys.valid),
        );
        if (authorized) headers['authorization'] = authorized;
      },
    },
    'beyond the quota is answered with',
  ],
  [
    'sends a limit that is no number',
    { answer: ({ headers }) => void (headers['x-ratelimit-limit'] = 'plenty') },
    'header X-RateLimit-Limit must be integer',
  ],
  [
    'says what it runs on',
    { answer: ({ headers }) => void (headers['x-powered-by'] = 'PHP') },
    'X-Powered-By is there',
  ],
  [
    'answers HEAD otherwise than GET',
    { answer: ({ headers }, { method }) => void (method === 'HEAD' && (headers['x-extra'] = '1')) },
    'HEAD has x-extra: 1, but GET has undefined',
  ],
  ['sends more than the answer', { surplus: 'more' }, '4 bytes follow the end of the answer'],
  [
    'cuts JSON off',
    { answer: (answer) => void (answer.body = answer.body.slice(0, -1)) },
    'the body is not JSON',
  ],
];

test.each(tamperings)(
  'a service that %s is reported',
  async (_, tampering, problem) => {
    expect(told(await reportOnProxy(tampering))).toContain(problem);
  },
  60_000,
);

test('a service that does not answer in time is reported', async () => {
  const report = await reportOnProxy({ silent: true }, 20);
  expect(told(report)).toContain('no whole answer within 20 ms');
});

test('the curl line is what a shell takes apart into the request as it was sent', async () => {
  const line = curlLine('http://127.0.0.1:1', {
    method: 'POST',
    target: "/v1/it's?a=$HOME&b=`id`",
    headers: [
      ['Authorization', 'Bearer "x" \\ !'],
      ['X-Empty', ''],
    ],
    body: '{"a": "it\'s"}',
  });
  const { stdout } = await execute('sh', '-c', `curl() { printf '%s\\n' "$@"; }; ${line}`);
  expect(stdout.trimEnd().split('\n').slice(4)).toEqual([
    '-X',
    'POST',
    '-H',
    'Authorization: Bearer "x" \\ !',
    '-H',
    'X-Empty;',
    '--data-binary',
    '{"a": "it\'s"}',
    "http://127.0.0.1:1/v1/it's?a=$HOME&b=`id`",
  ]);
});

function execute(
  file: string,
  ...args: string[]
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

const command = (...args: string[]) =>
  execute(
    process.execPath,
    '--import',
    'tsx',
    '--conditions=@petstore/source',
    'apps/server/test/fuzz/main.ts',
    ...args,
  );

test('the command prints the seed and the coverage, and ends with 0 where nothing was found', async () => {
  const { code, stdout } = await command('--seed', '5', '--runs', '20', '--only', 'listOrders');
  expect(stdout).toContain('seed 5, 20 requests of listOrders');
  expect(stdout).toMatch(/^operation +200/m);
  expect(code).toBe(0);
});

test('the command goes on with other seeds until its time is over', async () => {
  const { code, stdout } = await command('--runs', '5', '--minutes', '0.03');
  expect(Number(/Done after ([\d.]+) s/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(1.8);
  expect(code).toBe(0);
});

test('the command explains itself', async () => {
  const { code, stdout } = await command('--help');
  expect(stdout).toMatch(/^Usage: npm run fuzz/);
  expect(code).toBe(0);
});

test.each([
  [['--seed', 'x']],
  [['--runs', '0']],
  [['--only', 'nothing']],
  [['--minutes', '-1']],
  [['--what']],
])('the command ends with 2 where it is called wrongly: %j', async (args) => {
  const { code, stderr } = await command(...args);
  expect(stderr).toContain('Usage: npm run fuzz');
  expect(code).toBe(2);
});
