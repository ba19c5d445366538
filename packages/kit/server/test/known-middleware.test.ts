import compression from 'compression';
import type { RequestHandler } from 'express';
import session from 'express-session';
import helmet from 'helmet';
import type { HandlerContext } from '../src/index.ts';
import { shared } from '@contract-kit/test-support/testing';
import { sendRaw } from '../src/testing/raw.ts';
import { createTestTools } from './support/tools.ts';
import { library } from './library/library.ts';
import { addManyLoans } from './library/service.ts';

/* helmet, compression and express-session as `middleware` of a service. */

declare module 'express-session' {
  interface SessionData {
    visits: number;
  }
}

/** What it does depends on the header `X-Then`. */
const then: RequestHandler = (req, res, next) => {
  const { 'x-then': wanted } = req.headers;
  if (wanted === 'throw') throw new Error('it broke');
  req.session.visits = (req.session.visits ?? 0) + 1;
  res.locals['visits'] = req.session.visits;
  if (wanted === 'respond') res.status(402).json({ due: 'x'.repeat(2_000) });
  else next();
};

const cancelLoan = (_input: unknown, { locals }: HandlerContext) => ({
  status: 204,
  headers: { 'X-Visits': String(locals['visits']) },
});

const sessions = session({ secret: 'only a test', resave: false, saveUninitialized: true });
const { startTestService } = createTestTools({
  ...library,
  middleware: [helmet(), compression(), sessions, then],
});
const service = shared(() => startTestService({ handlers: { cancelLoan } }));

let key: string;
let keyId: string;
beforeAll(async () => {
  addManyLoans(service.dataDir);
  ({ key, id: keyId } = await service.keyWithId());
});

const ask = (method: string, target: string, headers: Record<string, string> = {}) =>
  service.request(target, { method, key, headers });

test.each([
  ['a response of a handler', 'DELETE', '/v1/loans/1', 204, {}],
  ['a rejected request', 'GET', '/v1/loans?limit=x', 400, {}],
  ['a response of a middleware', 'GET', '/v1/loans', 402, { 'x-then': 'respond' }],
  ['an error of a middleware', 'GET', '/v1/loans', 500, { 'x-then': 'throw' }],
])('helmet adds its headers to %s', async (_what, method, target, status, headers) => {
  const response = await ask(method, target, headers);
  await response.text();
  expect(response.status).toBe(status);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-security-policy': expect.stringContaining("default-src 'self'") as string,
    'x-frame-options': 'SAMEORIGIN',
    // Both set it, and it is sent once.
    'x-content-type-options': 'nosniff',
    'x-ratelimit-limit': '1000',
  });
});

test.each(['gzip', 'br'])('compression sends a long list as %s', async (coding) => {
  const plain = await ask('GET', '/v1/loans', { 'accept-encoding': 'identity' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  // The service cuts a response off that is not read.
  const expected = await plain.text();
  const packed = await ask('GET', '/v1/loans', { 'accept-encoding': coding });
  expect(packed.headers.get('content-encoding')).toBe(coding);
  const actual = await packed.text();
  expect(actual.length).toBeGreaterThan(1_000_000);
  expect(actual === expected).toBe(true);
});

test('with compression, responses without a body keep their form', async () => {
  const send = (method: string, target: string) => {
    const head = `Host: x\r\nConnection: close\r\nAccept-Encoding: gzip\r\nAuthorization: Bearer ${key}`;
    return sendRaw(service.origin, `${method} ${target} HTTP/1.1\r\n${head}\r\n\r\n`);
  };
  expect(await send('HEAD', '/v1/loans')).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\n$/);
  const deleted = await send('DELETE', '/v1/loans/1');
  expect(deleted).toMatch(/^HTTP\/1.1 204 No Content\r\n[^]*\r\n\r\n$/);
  expect(deleted).not.toContain('Content-Encoding');
});

test('express-session keeps the values of a client between requests', async () => {
  const first = await ask('DELETE', '/v1/loans/1');
  const [cookie = ''] = first.headers.get('set-cookie')?.split(';') ?? [];
  const again = await ask('DELETE', '/v1/loans/1', { cookie });
  const other = await ask('DELETE', '/v1/loans/1');
  expect([first, again, other].map(({ headers }) => headers.get('x-visits'))).toEqual(['1', '2', '1']);
});

test('limits, metrics and the access log hold if a middleware behind them responds or throws', async () => {
  const left = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining'));
  const responded = await ask('GET', '/v1/loans', { 'x-then': 'respond', 'accept-encoding': 'gzip' });
  expect(await responded.json()).toEqual({ due: 'x'.repeat(2_000) });
  const thrown = await ask('GET', '/v1/loans', { 'x-then': 'throw' });
  expect(await thrown.json()).toMatchObject({ code: 'internal_error', status: 500 });
  expect(left(thrown)).toBe(left(responded) - 1);
  for (const [{ headers }, status] of [
    [responded, 402],
    [thrown, 500],
  ] as const) {
    const requestId = headers.get('x-request-id');
    expect(service.logged).toContainEqual(
      expect.objectContaining({ msg: 'request', requestId, operationId: 'listLoans', keyId, status }),
    );
  }
  expect(await (await service.request('/metrics')).text()).toMatch(
    /library_requests_total{operation="listLoans",status="402"} \d/,
  );
});
