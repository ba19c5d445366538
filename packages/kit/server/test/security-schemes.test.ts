import { rateLimitIn } from '@contract-kit/test-support/testing';
import { createTestTools } from './support/tools.ts';
import { library } from './library/library.ts';
import { sharedService, generateApiKey } from './library/service.ts';

/* The kinds of security schemes of the kitchen-sink contract. */

const payment = { method: 'card', number: '4111' };
/** Each operation's call and response. */
const OPERATIONS = {
  // By HTTP Basic, or by a header.
  pay: ['POST', '/v1/payments', { status: 202, body: payment }],
  // By a bearer token and a header together.
  replaceSettings: ['PUT', '/v1/settings', { status: 200, body: { dark: true } }],
  // By a header, or by nothing.
  getReport: ['GET', '/v1/report', { status: 200, body: 'id' }],
  getStatus: ['GET', '/v1/status', { status: 200, body: true }],
  // By a bearer token.
  listLoans: ['GET', '/v1/loans', { status: 200, body: [] }],
} as const;

/** Whether the last handler received a key. */
let hasKey: boolean;
const handlerOf = (response: object) => (input: { caller?: object }) => {
  hasKey = input.caller !== undefined;
  return response;
};
const handlers = Object.entries(OPERATIONS).map(([id, [, , response]]) => [id, handlerOf(response)] as const);
const service = sharedService({ handlers: Object.fromEntries(handlers) });

function call(id: keyof typeof OPERATIONS, headers: Record<string, string> = {}): Promise<Response> {
  const [method, path, { body }] = OPERATIONS[id];
  if (method === 'GET') return service.request(path, { headers });
  const json = { ...headers, 'content-type': 'application/json' };
  return service.request(path, { method, headers: json, body: JSON.stringify(body) });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(user).toString('base64')}` });
const partner = (token: string) => ({ 'x-partner-key': token });

test('rejects two keys in one request', async () => {
  const message = 'The request has more than one API key.';
  const two = await call('pay', { ...basic(`:${service.suiteKey}`), ...partner(await service.key()) });
  expect(await two.json()).toMatchObject({ status: 400, message });
});

test('an open operation accepts everyone, and still recognizes a key', async () => {
  for (const id of ['getStatus', 'getReport'] as const) {
    for (const [headers, isKnown] of [
      [{}, false],
      [partner(service.suiteKey), true],
      [partner(generateApiKey()), false],
    ] as const)
      expect([(await call(id, headers)).status, hasKey]).toEqual([200, isKnown]);
  }
});

test('a 401 names the schemes of the operation, and how to send a key', async () => {
  const challengeOf = async (...[id, headers]: Parameters<typeof call>) => {
    const response = await call(id, headers);
    const { message } = (await response.json()) as { message: string };
    return [response.headers.get('www-authenticate'), message];
  };
  const [BEARER, PARTNER] = ['Bearer realm="library"', 'ApiKey realm="library", header="X-Partner-Key"'];
  expect(await challengeOf('pay')).toEqual([
    `Basic realm="library", charset="UTF-8", ${PARTNER}`,
    'The API key is missing: send it as `Authorization: Basic <base64 of ":" and API_KEY>` or `X-Partner-Key: <API_KEY>`.',
  ]);
  expect(await challengeOf('replaceSettings')).toEqual([
    `${BEARER}, ${PARTNER}`,
    'The API key is missing: send it as `Authorization: Bearer <API_KEY>` with `X-Partner-Key: <API_KEY>`.',
  ]);
  expect(await challengeOf('replaceSettings', bearer('none'))).toEqual([
    `${BEARER}, error="invalid_token", ${PARTNER}`,
    'The API key is invalid: unknown or revoked.',
  ]);
});

test('an app can authenticate other tokens, with a plan and a quota', async () => {
  const asked: string[] = [];
  const { startTestService } = createTestTools({
    ...library,
    authenticate: async (token, { scheme }) => {
      asked.push(scheme);
      await Promise.resolve();
      if (token === 'broken') throw new Error('the issuer is down');
      return token === 'ada' ? { id: 'user:ada', plan: 'free' } : undefined;
    },
  });
  const own = await startTestService();
  const list = (key: string) => own.request('/v1/loans', { key });
  const known = await list('ada');
  expect([known.status, rateLimitIn(known.headers).limit]).toEqual([200, 60]);
  expect((await list('eve')).status).toBe(401);
  expect((await list('broken')).status).toBe(503);
  expect((await list(await own.key())).status).toBe(200);
  expect(asked).toEqual(['apiKey', 'apiKey', 'apiKey']);
});
