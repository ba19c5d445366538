import { describeWith, installPacked } from '@contract-kit/test-support';
import { useBrowser } from '@contract-kit/test-support/browser';
import { listen } from '@contract-kit/test-support/testing';
import { startTestService } from '@petstore/server/testing';
import { buildSync } from 'esbuild';

/** Runs in the page. */
const program = `
import { createPetstore } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { createFakePetstore } from '@petstore/client/testing';

const thrown = ({ name, status, code, attempts }) => ({ name, status, code, attempts });

export async function run(apiKey, baseUrl) {
  const petstore = createPetstore({ apiKey, baseUrl });
  const streamed = [];
  const result = {};
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
  const exhaust = await Promise.allSettled(Array.from({ length: 100 }, () => petstore.listOrders({}, { budget: 20_000 })));
  result.fulfilled = exhaust.filter(({ status }) => status === 'fulfilled').length;
  result.refused = exhaust.filter(({ reason }) => reason?.name === 'RateLimitError' && reason.attempts === 0).length;
  return result;
}
`;

describeWith(['Chromium'], 'Chromium', () => {
  const { visit } = useBrowser();
  const site = installPacked('packages/client');
  afterAll(() => site.remove());

  test('the packed client works in a bundled page of another origin', async () => {
    const { outputFiles } = buildSync({
      stdin: { contents: program, resolveDir: site.folder },
      bundle: true,
      minify: true,
      format: 'iife',
      globalName: 'app',
      write: false,
    });
    const origin = await listen((request, response) =>
      response.writeHead(request.url === '/' ? 200 : 302, { location: '/' }).end(),
    );
    const clock = Object.assign(() => Date.now(), { advance: () => {} });
    const service = await startTestService({ clock, env: { CORS_ORIGINS: origin } });
    await service.addOrders([{ id: 1 }, { id: 2, status: 'shipped' }]);

    const page = await visit(origin);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    const apiKey = await service.key('free');
    expect(await page.evaluate(`app.run('${apiKey}', '${service.origin}/v1')`)).toEqual({
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
  });
});
