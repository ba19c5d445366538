/** Hono with @hono/zod-openapi and @hono/node-server, as their READMEs combine them. */
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { create, find, list } from '../../catalogue/products.mjs';
import { accessLog } from '../access-log.mjs';
import { id, newProduct, product } from './schemas.mjs';

const failure = z.object({ code: z.string(), message: z.string(), status: z.int() });
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

app.openapi(
  createRoute({
    method: 'get',
    path: '/v1/products',
    request: { query: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(20) }) },
    responses: { 200: json(z.array(product), 'The first products.') },
  }),
  (c) => c.json(list(c.req.valid('query').limit), 200),
);

app.openapi(
  createRoute({
    method: 'get',
    path: '/v1/products/{id}',
    request: { params: z.object({ id }), query: z.strictObject({}) },
    responses: { 200: json(product, 'The product.'), 404: json(failure, 'There is none.') },
  }),
  (c) => {
    const found = find(c.req.valid('param').id);
    if (found) return c.json(found, 200);
    return c.json({ code: 'not_found', message: 'There is no such product.', status: 404 }, 404);
  },
);

app.openapi(
  createRoute({
    method: 'post',
    path: '/v1/products',
    request: {
      query: z.strictObject({}),
      body: { content: { 'application/json': { schema: newProduct } }, required: true },
    },
    responses: { 201: json(product, 'The product.') },
  }),
  (c) => c.json(create(c.req.valid('json')), 201),
);

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
