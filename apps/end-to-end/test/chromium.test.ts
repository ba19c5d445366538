import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { describeWith, installPacked, pathOf } from '@kit/local-stack';
import { buildSync } from 'esbuild';
import { startTestService } from '@petstore/server/testing';

const page = `
import { createPetstore } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { createFakePetstore } from '@petstore/client/testing';

const { apiKey, baseUrl } = await (await fetch('/settings')).json();
const petstore = createPetstore({ apiKey, baseUrl });
const thrown = ({ name, status, code, attempts }) => ({ name, status, code, attempts });
const streamed = [];
const result = {};
try {
  const reply = await petstore.listOrders().reply();
  const { status, body, requestId, rateLimit, headers } = reply;
  result.reply = { status, body, requestId: typeof requestId, rateLimit, remaining: headers['X-RateLimit-Remaining'] };
  result.cancelled = String(await petstore.cancelOrder({ orderId: 1 }));
  result.shipped = await petstore.cancelOrder({ orderId: 2 }).catch(thrown);
  for await (const order of streamOrders(petstore)) streamed.push(order.id);
  result.streamed = streamed;
  const elsewhere = createPetstore({ apiKey, baseUrl: location.origin + '/redirect/v1' });
  result.redirect = await elsewhere.listOrders().catch(thrown);
  const unknown = createPetstore({ apiKey: 'pst_none', baseUrl });
  result.unauthorized = await unknown.listOrders().catch(thrown);
  const fake = createFakePetstore({ answers: { listOrders: { body: [{ id: 7 }] } } });
  result.fake = await createPetstore({ apiKey: 'pst_test', fetch: fake.fetch }).listOrders();
  const exhaust = await Promise.allSettled(Array.from({ length: 100 }, () => petstore.listOrders({}, { budget: 3000 })));
  result.fulfilled = exhaust.filter(({ status }) => status === 'fulfilled').length;
  result.refused = exhaust.filter(({ reason }) => reason?.name === 'RateLimitError' && reason.attempts === 0).length;
} catch (error) {
  result.failure = String(error);
}
await fetch('/result', { method: 'POST', body: JSON.stringify(result) });
`;

describeWith(['Chromium'], 'Chromium', () => {
  test('the packed client works in a bundled page of another origin', async () => {
    const site = installPacked('packages/client');
    const { outputFiles } = buildSync({
      stdin: { contents: page, resolveDir: site.folder },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    const html = '<!doctype html><script type="module" src="/page.js"></script>';

    let settings = {};
    let receive: (result: unknown) => void = () => {};
    const received = new Promise<unknown>((resolve) => (receive = resolve));
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/settings') return response.end(JSON.stringify(settings));
      if (request.url === '/page.js')
        return response.setHeader('content-type', 'text/javascript').end(outputFiles[0]?.contents);
      if (request.url === '/result') receive(await readJson(request));
      if (request.url?.startsWith('/redirect')) response.writeHead(302, { location: '/settings' });
      response.end(html);
    };
    const pages = createServer((request, response) => void answer(request, response));
    await once(pages.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;

    const clock = Object.assign(() => Date.now(), { advance: () => {} });
    const service = await startTestService({ clock, env: { CORS_ORIGINS: origin } });
    await service.addOrders([{ id: 1 }, { id: 2, status: 'shipped' }]);
    settings = { apiKey: await service.key('free'), baseUrl: `${service.origin}/v1` };

    const profile = mkdtempSync(path.join(tmpdir(), 'chromium-'));
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      `--user-data-dir=${profile}`,
    ];
    const browser = spawn(pathOf('Chromium'), [...flags, origin], { stdio: 'ignore', detached: true });
    const exited = once(browser, 'exit');
    try {
      expect(await Promise.race([received, exited])).toEqual({
        reply: {
          status: 200,
          body: [{ id: 1 }, { id: 2 }],
          requestId: 'string',
          rateLimit: { limit: 60, remaining: 59, reset: expect.any(Number) as unknown },
          remaining: 59,
        },
        cancelled: 'undefined',
        shipped: { name: 'ApiError', status: 409, code: 'order_already_shipped', attempts: 1 },
        streamed: [1, 2],
        redirect: { name: 'UnexpectedReplyError', status: 0, code: 'unexpected_reply', attempts: 1 },
        unauthorized: { name: 'ApiError', status: 401, code: 'unauthorized', attempts: 1 },
        fake: [{ id: 7 }],
        fulfilled: 56,
        refused: 44,
      });
    } finally {
      // The browser is a group of processes.
      if (browser.pid) process.kill(-browser.pid, 'SIGKILL');
      await exited;
      pages.closeAllConnections();
      pages.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
      site.remove();
    }
  });
});
