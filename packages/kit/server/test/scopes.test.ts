import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { startForCheck } from '../src/checking.ts';
import { newFolder } from '@contract-kit/test-support/testing';

/* The scopes of a key hold under every scheme of an operation. */

const BASE = `openapi: 3.1.0
info: { title: Customers, version: '1' }
paths:
  /customers:
    post:
      operationId: createCustomer
      security: [{ header: [] }, { query: [] }, { basic: [] }, { bearer: [] }, { oauth: [customers:write] }, { id: [] }]
      responses: { '204': { description: Created. } }
  /either:
    post:
      security: [{ header: [] }, { oauth: [customers:write] }, { oauth: [customers:read, billing] }]
      responses: { '204': { description: Done. } }
  /roles:
    post:
      security: [{ header: [billing] }, { basic: [customers:write] }]
      responses: { '204': { description: Done. } }
  /public:
    post:
      security: [{}, { oauth: [customers:write] }]
      responses: { '204': { description: Done. } }
  /unscoped:
    post:
      security: [{ header: [] }, { bearer: [] }]
      responses: { '204': { description: Done. } }
components:
  securitySchemes:
    header: { type: apiKey, in: header, name: X-Api-Key }
    query: { type: apiKey, in: query, name: api_key }
    basic: { type: http, scheme: basic }
    bearer: { type: http, scheme: bearer }
    oauth:
      type: oauth2
      flows:
        clientCredentials:
          tokenUrl: https://customers.example/token
          scopes: { 'customers:read': See., 'customers:write': Change., billing: See bills. }
    id: { type: openIdConnect, openIdConnectUrl: https://customers.example/.well-known/openid-configuration }
`;

let service: Awaited<ReturnType<typeof startForCheck>>;

beforeAll(async () => {
  const names = { name: 'customers', keyPrefix: 'cu_', databaseFile: 'store.db' };
  const contract = contractOf(parseContract(BASE), names);
  service = await startForCheck(contract, { dataDir: newFolder(), handlerOf: () => () => ({ status: 204 }) });
});
afterAll(() => service.stop());

type Sent = (key: string) => { readonly query?: string; readonly headers?: Record<string, string> };
const bearer: Sent = (key) => ({ headers: { Authorization: `Bearer ${key}` } });
const SCHEMES: Readonly<Record<string, Sent>> = {
  'an API key in a header': (key) => ({ headers: { 'X-Api-Key': key } }),
  'an API key in the query': (key) => ({ query: `?api_key=${key}` }),
  'HTTP Basic': (key) => ({ headers: { Authorization: `Basic ${btoa(`ada:${key}`)}` } }),
  'a bearer token, OAuth 2 and OpenID Connect': bearer,
};

async function post(path: string, scopes: readonly string[], sent: Sent): Promise<Response> {
  const { query = '', headers = {} } = sent(await service.newKey([...scopes]));
  return fetch(`${service.origin}${path}${query}`, { method: 'POST', headers });
}

const rows = Object.entries(SCHEMES).flatMap(([name, sent]) =>
  (
    [
      [[], 403],
      [['customers:read'], 403],
      [['customers:write'], 204],
      [['customers:write', 'billing'], 204],
    ] as const
  ).map(([scopes, status]) => [name, scopes, status, sent] as const),
);

test.each(rows)('by %s, a key with the scopes %j gets %i', async (_name, scopes, status, sent) => {
  const response = await post('/customers', scopes, sent);
  expect(response.status).toBe(status);
  expect(response.headers.get('www-authenticate')).toBe(
    status === 204 ? null : 'Bearer realm="customers", error="insufficient_scope", scope="customers:write"',
  );
});

const header = SCHEMES['an API key in a header'] as Sent;
const basic = SCHEMES['HTTP Basic'] as Sent;

test.each<[path: string, scopes: string[], sent: Sent, status: number]>([
  // The scopes of any alternative are enough.
  ['/either', ['customers:write'], header, 204],
  ['/either', ['customers:read', 'billing'], header, 204],
  ['/either', ['customers:read'], header, 403],
  ['/either', ['billing'], bearer, 403],
  // An alternative with scopes asks for its own.
  ['/roles', ['billing'], header, 204],
  ['/roles', ['customers:write'], header, 403],
  ['/roles', ['customers:write'], basic, 204],
  ['/roles', ['billing'], basic, 403],
  // Everyone may do it.
  ['/public', [], header, 204],
  // No scope is asked for.
  ['/unscoped', [], header, 204],
  ['/unscoped', ['billing'], bearer, 204],
])('POST %s with the scopes %j', async (path, scopes, sent, status) => {
  expect((await post(path, scopes, sent)).status).toBe(status);
});
