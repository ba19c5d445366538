import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { newFolder, shared } from '@contract-kit/test-support/testing';
import { startForCheck } from '../src/checking.ts';
import { defineService } from '../src/feature.ts';
import { createTestTools } from './support/tools.ts';
import { idsIn } from '@contract-kit/test-support/contracts';

/* Messages call what the schemes of a request carry an API key, a token, or either. */

const SCHEMES = {
  oauth: '{ type: oauth2, flows: { clientCredentials: { tokenUrl: /token, scopes: { write: Write. } } } }',
  oidc: '{ type: openIdConnect, openIdConnectUrl: /openid }',
  jwt: '{ type: http, scheme: bearer, bearerFormat: JWT }',
  bearer: '{ type: http, scheme: bearer }',
  apiKey: '{ type: http, scheme: Bearer }',
  format: '{ type: http, scheme: bearer, bearerFormat: API key }',
  basic: '{ type: http, scheme: basic }',
  header: '{ type: apiKey, in: header, name: X-Key }',
  query: '{ type: apiKey, in: query, name: api_key }',
};
const names = { name: 'desk', keyPrefix: 'desk_', databaseFile: 'desk.db' };

/** An operation for each of `paths`, with these alternatives, and the schemes of `kept`. */
const contractWith = (paths: Record<string, readonly string[]>, kept = Object.keys(SCHEMES)) =>
  contractOf(
    parseContract(`openapi: 3.1.0
info: { title: Desk, version: '1' }
x-rate-limit-plans:
  free: { name: Free, perMinute: 60, perDay: 1000 }
  own: { name: Own, perMinute: custom, perDay: custom }
paths:
${Object.entries(paths)
  .map(([id, schemes]) => {
    const security = schemes.map((scheme) => `{ ${scheme}: [write] }`).join(', ');
    return `  /${id}: { get: { operationId: ${id}, security: [${security}], responses: { '204': { description: Done. } } } }`;
  })
  .join('\n')}
components:
  securitySchemes:
${Object.entries(SCHEMES)
  .filter(([name]) => kept.includes(name))
  .map(([name, scheme]) => `    ${name}: ${scheme}`)
  .join('\n')}
`),
    names,
  );

const paths = {
  ...Object.fromEntries(Object.keys(SCHEMES).map((scheme) => [scheme, [scheme]])),
  any: ['oidc', 'header'],
};
const contract = contractWith(paths);
const respond = () => ({ status: 204 });

const keyed = shared(() => startForCheck(contract, { dataDir: newFolder(), handlerOf: () => respond }));
afterAll(() => keyed.stop());

const handlers = Object.fromEntries(idsIn(contract).map((id) => [id, respond]));
const withTokens = shared(() =>
  createTestTools(
    defineService(
      contract,
      { all: { open: () => ({}), handlers: () => handlers } },
      {
        version: '1.0.0',
        description: '',
        authenticate: (token) =>
          token === 'ada' ? { id: 'user:ada', plan: 'own', quota: { perMinute: 2, perDay: 9 } } : undefined,
      },
    ),
  ).startTestService(),
);

type Sent = (text: string) => { readonly query?: string; readonly headers?: Record<string, string> };
const bearer: Sent = (token) => ({ headers: { authorization: `Bearer ${token}` } });
const header: Sent = (key) => ({ headers: { 'x-key': key } });
const basic: Sent = (key) => ({ headers: { authorization: `Basic ${btoa(`:${key}`)}` } });
const inQuery: Sent = (key) => ({ query: `?api_key=${key}` });

async function messageOf(origin: string, path: string, { query = '', headers = {} } = {}): Promise<unknown> {
  const response = await fetch(`${origin}/${path}${query}`, { headers });
  return ((await response.json()) as { message: unknown }).message;
}

const INVALID = {
  'API key': 'The API key is invalid: unknown or revoked.',
  token: 'The token is invalid: unknown, expired or revoked.',
  'API key or token': 'The API key or token is invalid: unknown, expired or revoked.',
};

test.each<[path: string, sent: Sent, word: keyof typeof INVALID, form: string]>([
  ['oauth', bearer, 'token', '`Authorization: Bearer <TOKEN>`'],
  ['oidc', bearer, 'token', '`Authorization: Bearer <TOKEN>`'],
  ['jwt', bearer, 'token', '`Authorization: Bearer <TOKEN>`'],
  ['bearer', bearer, 'API key', '`Authorization: Bearer <API_KEY>`'],
  ['apiKey', bearer, 'API key', '`Authorization: Bearer <API_KEY>`'],
  ['format', bearer, 'API key', '`Authorization: Bearer <API_KEY>`'],
  ['basic', basic, 'API key', '`Authorization: Basic <base64 of ":" and API_KEY>`'],
  ['header', header, 'API key', '`X-Key: <API_KEY>`'],
  ['query', inQuery, 'API key', '`?api_key=<API_KEY>`'],
])('%s: in 401 and 403', async (path, sent, word, form) => {
  const { origin } = keyed;
  expect(await messageOf(origin, path)).toBe(`The ${word} is missing: send it as ${form}.`);
  expect(await messageOf(origin, path, sent('a.b.c'))).toBe(INVALID[word]);
  expect(await messageOf(origin, path, sent(await keyed.newKey([])))).toBe(
    `The ${word} lacks a scope that this operation requires: write.`,
  );
});

test('of several schemes, the one that the request uses gives the word', async () => {
  const { origin } = keyed;
  expect(await messageOf(origin, 'any')).toBe(
    'The API key or token is missing: send it as `Authorization: Bearer <TOKEN>` or `X-Key: <API_KEY>`.',
  );
  expect(await messageOf(origin, 'any', bearer('a.b.c'))).toBe(INVALID.token);
  expect(await messageOf(origin, 'any', header('a.b.c'))).toBe(INVALID['API key']);
  const both = { headers: { ...bearer('a.b.c').headers, ...header('x').headers } };
  expect(await messageOf(origin, 'any', both)).toBe(INVALID['API key or token']);
  // Sent by a scheme that the operation does not take.
  expect(await messageOf(origin, 'header', bearer('a.b.c'))).toBe(INVALID['API key or token']);
  const two = {
    headers: { ...bearer(await keyed.newKey()).headers, ...header(await keyed.newKey()).headers },
  };
  expect(await messageOf(origin, 'any', two)).toBe('The request has more than one API key or token.');
});

test('with an identity provider, a bearer token is a token unless the contract calls it a key', async () => {
  const { origin } = withTokens;
  expect(await messageOf(origin, 'bearer', bearer('a.b.c'))).toBe(INVALID.token);
  for (const path of ['apiKey', 'format'])
    expect(await messageOf(origin, path, bearer('a.b.c'))).toBe(INVALID['API key']);
  expect(await messageOf(origin, 'header', header('a.b.c'))).toBe(INVALID['API key']);
  expect(await messageOf(origin, 'bearer', bearer('ada'))).toBe(
    'The token lacks a scope that this operation requires: write.',
  );
});

test('a ban names the token, too', async () => {
  const status = () => fetch(`${withTokens.origin}/jwt`, { headers: bearer('ada').headers ?? {} });
  while ((await status()).status !== 429) continue;
  for (let times = 0; times < 3; times += 1) await status();
  expect(await messageOf(withTokens.origin, 'jwt', bearer('ada'))).toMatch(
    /^This token is temporarily banned/,
  );
});

test('the responses that the published contract adds use the word of its schemes', () => {
  const described = (schemes: string[]) => {
    const { document } = contractWith({ one: schemes }, schemes);
    return JSON.stringify(document['components']);
  };
  expect(described(['oauth', 'jwt'])).not.toContain('API key');
  expect(described(['oauth'])).toContain('The token is missing or not valid.');
  expect(described(['bearer', 'header'])).toContain('The API key lacks a scope');
  expect(described(['oidc', 'header'])).toContain('The API key or token is missing or not valid.');
});
