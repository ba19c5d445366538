/** Fastify 5 with fastify-openapi-glue; with keys, @fastify/bearer-auth and @fastify/rate-limit, as their READMEs show. */
import bearerAuth from '@fastify/bearer-auth';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { create, find, list } from '../../catalogue/products.mjs';
import { accessLog } from '../access-log.mjs';

const { CONTRACT, KEY, PORT } = process.env;

// Undeclared properties are rejected, not removed.
const fastify = Fastify({
  logger: false,
  ajv: { customOptions: { strict: false, removeAdditional: false } },
});

fastify.addHook('onResponse', (request, reply, done) => {
  const { method, url: path, ip: address } = request;
  accessLog.info({ method, path, status: reply.statusCode, address, ms: reply.elapsedTime });
  done();
});

if (KEY) {
  await fastify.register(rateLimit, {
    max: 1_000_000_000,
    timeWindow: '1 minute',
    keyGenerator: (request) => request.headers.authorization ?? request.ip,
  });
  await fastify.register(bearerAuth, { keys: new Set([KEY]) });
}

fastify.setErrorHandler((error, _request, reply) => {
  const status = error.statusCode ?? 500;
  const code = status === 400 ? 'invalid_request' : 'internal_error';
  return reply.code(status).send({ code, message: error.message, status });
});

// The glue allows unknown query parameters; the service rejects them.
fastify.addHook('onRoute', ({ schema }) => {
  if (schema) schema.querystring = { type: 'object', ...schema.querystring, additionalProperties: false };
});

await fastify.register(openapiGlue, {
  specification: CONTRACT,
  prefix: 'v1',
  // The hook of @fastify/bearer-auth has checked the key.
  securityHandlers: KEY ? { apiKey() {} } : undefined,
  serviceHandlers: {
    listProducts: async (request) => list(request.query.limit),
    async getProduct(request, reply) {
      const { id } = request.params;
      const product = find(id);
      if (product) return product;
      return reply.code(404).send({ code: 'not_found', message: `There is no ${id}.`, status: 404 });
    },
    createProduct: async (request, reply) => reply.code(201).send(create(request.body)),
  },
});

await fastify.listen({ port: Number(PORT), host: '127.0.0.1' });
