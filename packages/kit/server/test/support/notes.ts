import { contractFrom } from '@contract-kit/test-support/contracts';
import { defineService } from '../../src/feature.ts';
import { InvalidToken } from '../../src/keys/identity-provider.ts';

/* A service whose key is in a cookie, which a login sets. */

const ok = { 200: { description: 'ok' } };
const UNLIMITED = { perMinute: 10_000_000, perDay: 10_000_000 };
const session = [{ session: [] }];
const contract = contractFrom(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1.0.0' },
    servers: [{ url: '/v1' }],
    security: session,
    'x-rate-limit-plans': {
      free: { name: 'Free', perMinute: 60, perDay: 1000 },
      business: { name: 'Business', perMinute: 1000, perDay: 100_000 },
      enterprise: { name: 'Enterprise', perMinute: 'custom', perDay: 'custom' },
    },
    paths: {
      '/me': {
        get: { operationId: 'getMe', responses: ok },
        options: { operationId: 'optMe', responses: ok },
      },
      '/notes': Object.fromEntries(
        ['post', 'put', 'patch', 'delete', 'query'].map((method) => [
          method,
          { operationId: `${method}Note`, responses: ok },
        ]),
      ),
      '/payments': {
        post: {
          operationId: 'pay',
          parameters: [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: true,
              schema: { type: 'string', format: 'uuid' },
            },
          ],
          responses: ok,
        },
      },
      '/host': { get: { operationId: 'getHost', security: [{ host: [] }], responses: ok } },
      '/either': { post: { operationId: 'either', security: [{ token: [] }, ...session], responses: ok } },
      '/both': { post: { operationId: 'both', security: [{ token: [], session: [] }], responses: ok } },
      '/header': { post: { operationId: 'byHeader', security: [{ token: [] }], responses: ok } },
      '/login': {
        post: {
          operationId: 'login',
          security: [],
          responses: {
            204: { description: 'in', headers: { 'Set-Cookie': { schema: { type: 'string' } } } },
          },
        },
      },
    },
    components: {
      securitySchemes: {
        host: { type: 'apiKey', in: 'cookie', name: '__Host-sid' },
        session: { type: 'apiKey', in: 'cookie', name: 'sid' },
        token: { type: 'apiKey', in: 'header', name: 'X-Token' },
      },
    },
  }).replaceAll('"3.1.0"', '"3.2.0"'),
);

/** The owner for each call of a handler, and what `authenticate` was asked. */
export const called: (string | undefined)[] = [];
export const asked: string[] = [];
const ids = [
  'getMe',
  'getHost',
  'optMe',
  'postNote',
  'putNote',
  'patchNote',
  'deleteNote',
  'queryNote',
  'pay',
  'either',
  'both',
  'byHeader',
];
const handler = ({ caller }: { caller?: { owner: string } }) => {
  called.push(caller?.owner);
  return { status: 200 };
};
const handlers = {
  ...Object.fromEntries(ids.map((id) => [id, handler])),
  login: () => ({
    status: 204,
    headers: { 'Set-Cookie': 'sid=s%3Aada; HttpOnly; Secure; SameSite=Lax; Path=/' },
  }),
};
export const definition = defineService(
  contract,
  { all: { open: () => ({}), handlers: () => handlers as never } },
  {
    version: '1.0.0',
    description: '',
    authenticate: (token: string, { scheme }: { scheme: string }) => {
      asked.push(`${scheme} ${token}`);
      if (token === 'expired') throw new InvalidToken('The session has ended.');
      return /^s:ada$|^"?s:ada"?$/.test(token)
        ? { id: 'ada', plan: 'enterprise', quota: UNLIMITED }
        : undefined;
    },
  },
);
