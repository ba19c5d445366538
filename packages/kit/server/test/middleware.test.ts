import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import express, { type Express, type RequestHandler, type Response } from 'express';
import type { ServiceDefinition } from '../src/feature.ts';
import { contextOf, secret, type HandlerContext } from '../src/index.ts';
import { newFolder } from '@contract-kit/test-support/testing';
import { sendRaw } from '../src/testing/raw.ts';
import type { TestServiceOptions } from '../src/testing/service.ts';
import { createTestTools } from './support/tools.ts';
import { library } from './library/library.ts';

type Own = Pick<ServiceDefinition, 'middleware' | 'extend' | 'settings'>;

/** The library with middleware or routes, and a key for it. */
async function startWith(own: Own, options: TestServiceOptions = {}) {
  const service = await createTestTools({ ...library, ...own }).startTestService(options);
  const { key, id } = await service.keyWithId();
  const list = (init: RequestInit = {}) => service.request('/v1/loans', { key, ...init });
  return { service, key, keyId: id, list };
}

const respond: RequestHandler = (req, res) => void res.status(402).json({ due: req.get('x-tenant') });

describe('middleware', () => {
  test('runs for an operation after authentication and limits, with the request and response of Express', async () => {
    const seen: unknown[] = [];
    const middleware: RequestHandler[] = [
      (req, res, next) => {
        seen.push([req.method, req.originalUrl, req.get('x-tenant'), req.app === res.app]);
        res.set('X-Seen', 'yes');
        next();
      },
    ];
    const { list, service } = await startWith({ middleware });
    const response = await list({ headers: { 'X-Tenant': 'north' } });
    expect([response.status, response.headers.get('x-seen')]).toEqual([200, 'yes']);
    expect(await response.json()).toEqual([]);
    for (const target of ['/v1/loans', '/v1/nothing', '/docs', '/healthz'])
      expect((await service.request(target)).headers.get('x-seen')).toBeNull();
    expect(seen).toEqual([['GET', '/v1/loans', 'north', true]]);
  });

  test('runs before validation, and passes values to the handler', async () => {
    let locals: HandlerContext['locals'] | undefined;
    const { service, key } = await startWith(
      { middleware: [(_req, res, next) => void ((res.locals['tenant'] = 'north'), next())] },
      {
        handlers: {
          cancelLoan: (_input: unknown, context: HandlerContext) => {
            ({ locals } = context);
            return { status: 204 };
          },
        },
      },
    );
    expect((await service.request('/v1/loans/1', { method: 'DELETE', key })).status).toBe(204);
    expect(locals).toEqual({ tenant: 'north' });
    const refusing = await startWith({ middleware: [respond] });
    const invalid = await refusing.service.request('/v1/loans/abc', { method: 'DELETE', key: refusing.key });
    expect(invalid.status).toBe(402);
  });

  test('knows the context of its request: the caller, the log and the id', async () => {
    const middleware: RequestHandler[] = [
      (req, res) => {
        const { caller, requestId, log } = contextOf(req);
        log.info('seen by a middleware');
        res.json({ id: caller?.id, requestId });
      },
    ];
    const { list, keyId, service } = await startWith({ middleware });
    const response = await list();
    const requestId = response.headers.get('x-request-id');
    expect(await response.json()).toEqual({ id: keyId, requestId });
    expect(service.logged).toContainEqual(
      expect.objectContaining({ msg: 'seen by a middleware', requestId, keyId, operationId: 'listLoans' }),
    );
  });

  test('may be made from the services, such as a setting', async () => {
    const own = {
      settings: { SESSION_KEY: secret() },
      middleware: ({ settings, stores }: { settings: object; stores: object }): RequestHandler[] => [
        (_req, res) => void res.json({ ...settings, stores: Object.keys(stores) }),
      ],
    };
    const { list } = await startWith(own, { settings: { SESSION_KEY: 'only a test' } });
    expect(await (await list()).json()).toEqual({ SESSION_KEY: 'only a test', stores: ['loans', 'others'] });
  });

  test('may respond itself: limits, common headers, metrics and the access log hold', async () => {
    const { service, key, keyId, list } = await startWith({ middleware: [respond] });
    const response = await list({ headers: { 'X-Tenant': 'north' } });
    expect([response.status, await response.json()]).toEqual([402, { due: 'north' }]);
    const { headers } = response;
    expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
    const requestId = headers.get('x-request-id');
    expect(service.logged).toContainEqual(
      expect.objectContaining({ msg: 'request', requestId, status: 402, keyId, operationId: 'listLoans' }),
    );
    const again = await list();
    const left = (of: globalThis.Response) => Number(of.headers.get('x-ratelimit-remaining'));
    expect(left(again)).toBe(left(response) - 1);
    expect(await (await service.request('/metrics')).text()).toContain(
      'library_requests_total{operation="listLoans",status="402"} 2',
    );
    expect(key).not.toBe('');
  });

  test.each<[how: string, middleware: RequestHandler]>([
    [
      'throws',
      () => {
        throw new Error('it broke');
      },
    ],
    ['rejects', () => Promise.reject(new Error('it broke'))],
    ['passes an error on', (_req, _res, next) => next(new Error('it broke'))],
  ])('that %s is an error like a handler’s', async (_how, middleware) => {
    const { service, list } = await startWith({ middleware: [middleware] });
    const response = await list();
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'internal_error' });
    expect(service.logged).toContainEqual(
      expect.objectContaining({
        level: 50,
        err: expect.objectContaining({ message: 'it broke' }) as unknown,
      }),
    );
  });

  test('may replace how a response is written, as compression and express-session do', async () => {
    const compress: RequestHandler = (_req, res, next) => {
      const writeHead = res.writeHead.bind(res);
      const end = res.end.bind(res);
      res.writeHead = ((status: number, head: Record<string, string>) => {
        for (const [name, value] of Object.entries(head)) res.setHeader(name, value);
        res.removeHeader('Content-Length');
        res.setHeader('Content-Encoding', 'gzip');
        return writeHead(status);
      }) as Response['writeHead'];
      res.end = ((body: string | Buffer) => {
        // A session is saved before the response ends.
        setTimeout(() => end(gzipSync(body)), 10);
        return res;
      }) as Response['end'];
      next();
    };
    const { service, key } = await startWith({ middleware: [compress] });
    const request = `GET /v1/loans HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const text = await sendRaw(service.origin, request);
    expect(text).toContain('\r\nContent-Encoding: gzip\r\n');
    const [, chunk = ''] = /\r\n\r\n[\da-f]+\r\n([^]*)\r\n0\r\n\r\n$/.exec(text) ?? [];
    expect(gunzipSync(Buffer.from(chunk, 'latin1')).toString()).toBe('[]');
  });
});

describe('routes outside the contract', () => {
  const extend = (app: Express) => {
    app.get('/login/callback', (req, res) => void res.redirect(`/?from=${req.path}`));
    app.post('/webhooks/paid', express.raw({ type: '*/*' }), (req, res) => {
      res.json({ bytes: (req.body as Buffer).length });
    });
    app.get('/broken', () => {
      throw new Error('it broke');
    });
    app.use('/files', express.static(import.meta.dirname));
  };

  test('need no key, are not limited, and are in the access log', async () => {
    const { service } = await startWith({ extend });
    const callback = await service.request('/login/callback?code=7');
    expect([callback.status, callback.headers.get('location')]).toEqual([302, '/?from=/login/callback']);
    expect(callback.headers.get('x-ratelimit-remaining')).toBeNull();
    expect(callback.headers.get('x-request-id')).toMatch(/./);
    expect(service.logged).toContainEqual(
      expect.objectContaining({ msg: 'request', path: '/login/callback', status: 302 }),
    );
  });

  test('read their own bodies', async () => {
    const { service } = await startWith({ extend });
    const sent = await service.request('/webhooks/paid', { method: 'POST', body: 'x'.repeat(10_000) });
    expect(await sent.json()).toEqual({ bytes: 10_000 });
  });

  test('may be a folder of files', async () => {
    const { service } = await startWith({ extend });
    expect((await service.request('/files/middleware.test.ts')).status).toBe(200);
    const missing = await service.request('/files/none.txt');
    expect([missing.status, await missing.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'not_found' }),
    ]);
  });

  test('know the context of their request', async () => {
    const { service } = await startWith({
      extend: (app) =>
        app.get('/mine', (req, res) => {
          const { caller, log, requestId } = contextOf(req);
          log.info('seen by a route');
          res.json({ requestId, isKnown: caller !== undefined });
        }),
    });
    const requestId = 'a-request';
    const response = await service.request('/mine', { headers: { 'X-Request-Id': requestId } });
    expect(await response.json()).toEqual({ requestId, isKnown: false });
    expect(service.logged).toContainEqual(expect.objectContaining({ msg: 'seen by a route', requestId }));
  });

  test.each<[what: string, target: string, init: RequestInit, status: number, code: string]>([
    ['a body that is no JSON', '/json', { body: '{bad' }, 400, 'invalid_request'],
    ['too large a body', '/json', { body: JSON.stringify('x'.repeat(200_000)) }, 413, 'payload_too_large'],
    [
      'a range beyond the file',
      '/files/index.txt',
      { headers: { range: 'bytes=9-' } },
      416,
      'invalid_request',
    ],
  ])('reject %s, which is no failure of the service', async (_what, target, init, status, code) => {
    const folder = newFolder();
    writeFileSync(path.join(folder, 'index.txt'), 'text');
    const { service } = await startWith({
      extend(app) {
        app.post('/json', express.json(), (_req, res) => void res.sendStatus(204));
        app.use('/files', express.static(folder));
      },
    });
    const headers = { 'content-type': 'application/json', ...init.headers };
    const response = await service.request(target, { method: init.body ? 'POST' : 'GET', ...init, headers });
    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ code, status }),
    ]);
    expect(service.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('that throw get an Error object', async () => {
    const { service } = await startWith({ extend });
    const response = await service.request('/broken');
    expect(await response.json()).toMatchObject({ code: 'internal_error' });
  });

  test('that write after the end of their response do no harm, and the log has the error', async () => {
    const { service } = await startWith({
      extend: (app) => app.get('/late', (_req, res) => void res.end('done').write('more')),
    });
    expect(await (await service.request('/late')).text()).toBe('done');
    const errors = service.logged.filter(({ level }) => Number(level) >= 50);
    expect(errors).toEqual([
      expect.objectContaining({
        err: expect.objectContaining({ code: 'ERR_STREAM_WRITE_AFTER_END' }) as unknown,
      }),
    ]);
    expect((await service.request('/healthz')).status).toBe(200);
  });

  test('may be below the base path', async () => {
    const { service } = await startWith({
      extend: (app) => app.get('/v1/weather', (_req, res) => void res.send('fine')),
    });
    expect(await (await service.request('/v1/weather')).text()).toBe('fine');
    expect((await service.request('/v1/other')).headers.get('x-ratelimit-remaining')).not.toBeNull();
  });

  test.each<[path: string, add: (app: Express) => unknown]>([
    ['/v1/loans', (app) => app.get('/v1/loans', respond)],
    ['/v1/loans, by another method', (app) => app.patch('/v1/loans', respond)],
    ['/v1/loans/:id', (app) => app.delete('/v1/loans/:id', respond)],
    ['/v1/loans/7', (app) => app.get('/v1/loans/7', respond)],
    ['/v1/:what/7', (app) => app.get('/v1/:what/7', respond)],
    ['/v1/*rest', (app) => app.get('/v1/*rest', respond)],
    ['/v1', (app) => app.use('/v1', respond)],
    ['a list of paths', (app) => app.get(['/mine', '/v1/loans'], respond)],
    ['/docs', (app) => app.get('/docs', respond)],
    ['/healthz', (app) => app.all('/healthz', respond)],
    ['/mcp', (app) => app.post('/mcp', respond)],
  ])('that shadow an operation or a page are refused at start: %s', async (_path, add) => {
    await expect(startWith({ extend: (app) => void add(app) })).rejects.toThrow(
      /^the route .* of extend is also a path of .*: give it another path$/,
    );
  });
});
