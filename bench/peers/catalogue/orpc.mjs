/** oRPC with its OpenAPI handler for Node.js, and the plugin that its documentation shows for texts in paths and queries. */
import { createServer } from 'node:http';
import { SmartCoercionPlugin } from '@orpc/json-schema';
import { OpenAPIHandler } from '@orpc/openapi/node';
import { ORPCError, os } from '@orpc/server';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { z } from 'zod';
import { create, find, list } from '../../catalogue/products.mjs';
import { accessLog } from '../access-log.mjs';
import { id, limit, newProduct } from './schemas.mjs';

const router = {
  list: os
    .route({ method: 'GET', path: '/products' })
    .input(z.strictObject({ limit: limit.default(20) }))
    .handler(({ input }) => list(input.limit)),
  get: os
    .route({ method: 'GET', path: '/products/{id}' })
    .input(z.strictObject({ id }))
    .handler(({ input }) => {
      const found = find(input.id);
      if (!found) throw new ORPCError('NOT_FOUND');
      return found;
    }),
  create: os
    .route({ method: 'POST', path: '/products', successStatus: 201 })
    .input(newProduct)
    .handler(({ input }) => create(input)),
};

const handler = new OpenAPIHandler(router, {
  plugins: [new SmartCoercionPlugin({ schemaConverters: [new ZodToJsonSchemaConverter()] })],
});

const server = createServer(async (req, res) => {
  const started = performance.now();
  res.on('finish', () => {
    const [path] = req.url.split('?', 1);
    const address = req.socket.remoteAddress;
    accessLog.info({
      method: req.method,
      path,
      status: res.statusCode,
      address,
      ms: performance.now() - started,
    });
  });
  const { matched } = await handler.handle(req, res, { prefix: '/v1', context: {} });
  if (!matched) res.writeHead(404).end();
});

server.listen(Number(process.env.PORT), '127.0.0.1');
