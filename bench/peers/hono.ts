/**
 * Peer (c): Hono with @hono/zod-openapi, @hono/node-server and hono-rate-limiter, as their READMEs put them together.
 * Started as `node hono.js DATABASE CONTRACT PORT [TRUSTED_PROXY]`, with a REDIS_URL to count there; the contract is written in Zod here.
 */
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { rateLimiter, RedisStore, type RedisClient } from 'hono-rate-limiter';
import type { Redis } from 'ioredis';
import { accessLog } from './access-log.ts';
import { addThings } from './hono-things.ts';
import { replies, type Caller } from './orders.ts';
import { openOrdersAt, redis } from './shared-orders.ts';

interface Env {
  Variables: { caller: Caller };
}

const [database = '', contract = '', port, trustedProxy] = process.argv.slice(2);
const orders = openOrdersAt(database);

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
const Id = z.coerce.number().int();
const failure = (description: string) => ({
  content: { 'application/json': { schema: Failure } },
  description,
});

const app = new OpenAPIHono<Env>({
  defaultHook(result, c) {
    if (!result.success)
      return c.json({ code: 'invalid_request', message: result.error.message, status: 400 }, 400);
    return undefined;
  },
});

if (accessLog) {
  app.use(async (c, next) => {
    const started = performance.now();
    await next();
    const { method, path } = c.req;
    const address = getConnInfo(c).remote.address;
    accessLog?.info({ method, path, status: c.res.status, address, ms: performance.now() - started });
  });
}

app.use(async (c, next) => {
  const forwarded = trustedProxy === undefined ? undefined : c.req.header('x-forwarded-for');
  const address = forwarded ?? getConnInfo(c).remote.address ?? '';
  c.set('caller', await orders.identify(c.req.header('authorization'), address));
  await next();
});

/** What the store calls by the names of another client. */
const clientOf = (server: Redis): RedisClient => ({
  scriptLoad: (script) => server.script('LOAD', script) as Promise<string>,
  evalsha: (sha, keys, args) =>
    server.evalsha(sha, keys.length, ...keys, ...(args as string[])) as Promise<never>,
  decr: (key) => server.decr(key),
  del: (key) => server.del(key),
});
const limiter = (windowMs: number, quota: 'perMinute' | 'perDay') =>
  rateLimiter<Env>({
    windowMs,
    limit: (c) => c.get('caller')[quota],
    keyGenerator: (c) => c.get('caller').id,
    standardHeaders: 'draft-6',
    message: { code: 'rate_limit_exceeded', message: 'The limit is used up.', status: 429 },
    ...(redis && { store: new RedisStore<Env>({ client: clientOf(redis), prefix: `hono-${quota}-` }) }),
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
    responses: {
      200: { content: { 'application/json': { schema: z.array(Order) } }, description: 'All orders.' },
    },
  }),
  async (c) => c.json(await orders.list(), 200),
);

app.openapi(
  createRoute({
    method: 'delete',
    path: '/v1/store/orders/{orderId}',
    request: { params: z.object({ orderId: Id }), query: z.strictObject({}) },
    responses: {
      204: { description: 'It is cancelled.' },
      404: failure('There is no such order.'),
      409: failure('It has shipped.'),
    },
  }),
  async (c) => {
    switch (await orders.cancel(c.req.valid('param').orderId, c.get('caller').id)) {
      case 'cancelled':
        return c.body(null, 204);
      case 'shipped':
        return c.json(replies.shipped.body, 409);
      case 'missing':
        return c.json(replies.missing.body, 404);
    }
  },
);

addThings(app, contract);

app.onError((error, c) => {
  const status: ContentfulStatusCode = error instanceof HTTPException ? error.status : 500;
  if (status === 401) c.header('WWW-Authenticate', 'Bearer realm="petstore"');
  const code = status === 401 ? 'unauthorized' : 'internal_error';
  return c.json({ code, message: error.message, status }, status);
});

serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
