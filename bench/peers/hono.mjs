/** Hono with @hono/zod-openapi, @hono/node-server and hono-rate-limiter, as their READMEs combine them. */
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { rateLimiter } from 'hono-rate-limiter';
import { accessLog } from './access-log.mjs';
import { openSqliteOrders, replies } from './orders.mjs';

const { DATABASE, PORT, TRUST_PROXY } = process.env;
const orders = openSqliteOrders(DATABASE);

// Hono has its contract in code.
const Order = z
  .object({
    id: z.int().optional(),
    petId: z.int().optional(),
    quantity: z.int().min(0).optional(),
    shipDate: z.iso.datetime().optional(),
    complete: z.boolean().optional(),
  })
  .openapi('Order');
const Failure = z.object({ code: z.string(), message: z.string(), status: z.int() }).openapi('Error');
const json = (schema, description) => ({ content: { 'application/json': { schema } }, description });

const app = new OpenAPIHono({
  defaultHook(result, c) {
    if (result.success) return undefined;
    return c.json({ code: 'invalid_request', message: result.error.message, status: 400 }, 400);
  },
});

app.use(async (c, next) => {
  const started = performance.now();
  await next();
  const { method, path } = c.req;
  const address = getConnInfo(c).remote.address;
  accessLog.info({ method, path, status: c.res.status, address, ms: performance.now() - started });
});

app.use(async (c, next) => {
  const forwarded = TRUST_PROXY && c.req.header('x-forwarded-for');
  const address = forwarded ?? getConnInfo(c).remote.address;
  c.set('caller', orders.identify(c.req.header('authorization'), address));
  await next();
});

const limiter = (windowMs, quota) =>
  rateLimiter({
    windowMs,
    limit: (c) => c.get('caller')[quota],
    keyGenerator: (c) => c.get('caller').id,
    standardHeaders: 'draft-6',
    message: { code: 'rate_limit_exceeded', message: 'The limit is used up.', status: 429 },
  });
app.use(limiter(24 * 60 * 60 * 1000, 'perDay'));
app.use(limiter(60 * 1000, 'perMinute'));

app.use(async (c, next) => {
  if (!c.get('caller').isKey) throw new HTTPException(401, { message: 'The API key is missing or invalid.' });
  await next();
});

app.openapi(
  createRoute({
    method: 'get',
    path: '/v1/store/orders',
    request: { query: z.strictObject({}) },
    responses: { 200: json(z.array(Order), 'All orders.') },
  }),
  (c) => c.json(orders.list(), 200),
);

app.openapi(
  createRoute({
    method: 'delete',
    path: '/v1/store/orders/{orderId}',
    request: { params: z.object({ orderId: z.coerce.number().int() }), query: z.strictObject({}) },
    responses: {
      204: { description: 'The order is cancelled.' },
      404: json(Failure, 'There is no such order.'),
      409: json(Failure, 'The order has already shipped.'),
    },
  }),
  (c) => {
    const { status, body } = replies[orders.cancel(c.req.valid('param').orderId, c.get('caller').id)];
    return body ? c.json(body, status) : c.body(null, status);
  },
);

app.onError((error, c) => {
  const status = error instanceof HTTPException ? error.status : 500;
  if (status === 401) c.header('WWW-Authenticate', 'Bearer realm="petstore"');
  const code = status === 401 ? 'unauthorized' : 'internal_error';
  return c.json({ code, message: error.message, status }, status);
});

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
