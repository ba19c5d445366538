import { createApiKeyCache } from '../src/keys/api-key-cache.ts';
import { requireSecurity } from '../src/pipeline/require-security.ts';
import { contextOf } from '../src/pipeline/request-context.ts';
import { authenticate } from '../src/pipeline/authenticate.ts';
import { answerEarly } from '../src/pipeline/answer-early.ts';
import { schemesOf } from '../src/pipeline/schemes.ts';
import { stopAtEnd, askRaw } from './support/index.ts';
import { sharedService, generateApiKey, keyFormat } from './library/service.ts';
import { serveStages } from './support/stages.ts';

/* The stages that know of security, with a contract that has every kind of scheme. */

const schemes = schemesOf({
  name: 'library',
  document: {
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'Bearer' },
        operator: { type: 'http', scheme: 'basic' },
        partner: { type: 'apiKey', in: 'header', name: 'X-Partner-Key' },
      },
    },
  },
});

/** Stand in for operations: who each of them lets in. */
const security = {
  token: [['token']],
  operator: [['operator']],
  partner: [['partner']],
  any: [['token'], ['operator'], ['partner']],
  both: [['token', 'partner']],
  perhaps: [['partner'], []],
  open: [],
};

const service = sharedService();
let origin: string;
let key: string;

beforeAll(async () => {
  key = service.ownKey;
  const keyCache = createApiKeyCache({
    format: keyFormat,
    keys: service.store.keys,
    now: service.clock,
    onError: () => undefined,
  });
  stopAtEnd('service', () => keyCache.close());
  origin = await serveStages(
    (req) => req.path.slice(1),
    authenticate(keyCache, schemes),
    answerEarly(),
    requireSecurity(security, schemes),
    (req, res) => void res.json(contextOf(req).caller?.kind),
  );
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(user).toString('base64')}` });
const partner = (token: string) => ({ 'x-partner-key': token });

const call = (operation: keyof typeof security, headers: Record<string, string> = {}) =>
  fetch(`${origin}/${operation}`, { headers });

test('each scheme carries a key, and lets in where it is asked for and nowhere else', async () => {
  const sent = { token: bearer(key), operator: basic(`someone:${key}`), partner: partner(key) };
  for (const [name, headers] of Object.entries(sent)) {
    for (const asked of ['token', 'operator', 'partner', 'any'] as const) {
      const status = [name, 'any'].includes(asked) ? 200 : 401;
      expect([name, asked, (await call(asked, headers)).status]).toEqual([name, asked, status]);
    }
  }
});

test('the user of Basic is whoever he says he is, and the key is the password', async () => {
  expect((await call('operator', basic(`:${key}`))).status).toBe(200);
  for (const user of [key, `${key}:`, `:${key}:`, `::${key}`, ''])
    expect((await call('operator', basic(user))).status).toBe(401);
  expect((await call('operator', { authorization: `Basic !${key}` })).status).toBe(401);
});

test('where two schemes are asked for together one is not enough, and of alternatives it is', async () => {
  for (const headers of [bearer(key), partner(key), { ...bearer(key), ...partner(generateApiKey()) }])
    expect((await call('both', headers)).status).toBe(401);
  expect((await call('both', { ...bearer(key), ...partner(key) })).status).toBe(200);
  expect((await call('any', { ...basic('a:b'), ...partner(key) })).status).toBe(200);
});

test('two keys in one request are ambiguous, and so is a header that is sent twice', async () => {
  const message = 'The request has more than one API key.';
  const two = await call('any', { ...bearer(key), ...partner(await service.key()) });
  expect(await two.json()).toMatchObject({ status: 400, message });
  const headers = Array(2).fill(['X-Partner-Key', key] as const) as [string, string][];
  expect((await askRaw(origin, { method: 'GET', target: '/partner', headers })).status).toBe(400);
});

test('what is open lets everyone in, and still knows whose key it was shown', async () => {
  for (const operation of ['open', 'perhaps'] as const) {
    expect(await (await call(operation)).json()).toBe('address');
    expect(await (await call(operation, partner(key))).json()).toBe('key');
    expect((await call(operation, partner(generateApiKey()))).status).toBe(200);
  }
});

test('a 401 names the schemes that the operation admits, and how to send a key', async () => {
  const challengeOf = async (...[operation, headers]: Parameters<typeof call>) => {
    const response = await call(operation, headers);
    const { message } = (await response.json()) as { message: string };
    return [response.headers.get('www-authenticate'), message];
  };
  const [BEARER, BASIC, PARTNER] = [
    'Bearer realm="library"',
    'Basic realm="library", charset="UTF-8"',
    'ApiKey realm="library", header="X-Partner-Key"',
  ];
  expect(await challengeOf('any')).toEqual([
    `${BEARER}, ${BASIC}, ${PARTNER}`,
    'The API key is missing: send it as `Authorization: Bearer <API_KEY>` or `Authorization: Basic <base64 of ":" and API_KEY>` or `X-Partner-Key: <API_KEY>`.',
  ]);
  const invalid = 'The API key is invalid: unknown or revoked.';
  expect(await challengeOf('partner', partner('none'))).toEqual([PARTNER, invalid]);
  expect(await challengeOf('any', bearer('none'))).toEqual([
    `${BEARER}, error="invalid_token", ${BASIC}, ${PARTNER}`,
    invalid,
  ]);
});

test('an operation that asks for a scheme that nothing verifies keeps the service from starting', () => {
  const contract = {
    components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'a' } } },
  };
  const schemes = schemesOf({ name: 'x', document: contract });
  expect(() => requireSecurity({ listLoans: [['session']] }, schemes)).toThrow(
    'listLoans asks for session, which is no security scheme that is verified',
  );
});
