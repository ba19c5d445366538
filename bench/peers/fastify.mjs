/** Fastify 5 with fastify-openapi-glue and @fastify/rate-limit, as their READMEs combine them. */
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { Redis } from 'ioredis';
import { accessLog } from './access-log.mjs';
import { openOrders, replies } from './orders.mjs';

const { CONTRACT, DATABASE, PORT, REDIS_URL, TRUST_PROXY } = process.env;
const orders = openOrders(DATABASE);
const redis = REDIS_URL && new Redis(REDIS_URL);

const fastify = Fastify({
  logger: false,
  trustProxy: TRUST_PROXY ?? false,
  // The contract has keywords that JSON Schema does not know. Undeclared parameters are rejected, not removed.
  ajv: { customOptions: { strict: false, removeAdditional: false } },
});

fastify.decorateRequest('caller', null);
fastify.addHook('onRequest', async (request) => {
  request.caller = await orders.identify(request.headers.authorization, request.ip);
});

fastify.addHook('onResponse', (request, reply, done) => {
  const { method, url: path, ip: address } = request;
  accessLog.info({ method, path, status: reply.statusCode, address, ms: reply.elapsedTime });
  done();
});

const windows = { perDay: '1 day', perMinute: '1 minute' };
for (const [quota, timeWindow] of Object.entries(windows)) {
  await fastify.register(rateLimit, {
    timeWindow,
    max: (request) => request.caller[quota],
    keyGenerator: (request) => request.caller.id,
    cache: 20_000,
    ...(redis && { redis, nameSpace: `fastify-${quota}-` }),
  });
}

const codes = { 400: 'invalid_request', 401: 'unauthorized', 429: 'rate_limit_exceeded' };
fastify.setErrorHandler((error, _request, reply) => {
  const status = error.statusCode ?? 500;
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer realm="petstore"');
  return reply.code(status).send({ code: codes[status] ?? 'internal_error', message: error.message, status });
});

// For an operation without query parameters the glue makes no schema; the contract rejects unknown ones.
fastify.addHook('onRoute', (route) => {
  if (route.schema) route.schema.querystring ??= { type: 'object', additionalProperties: false };
});

await fastify.register(openapiGlue, {
  specification: CONTRACT,
  prefix: 'v1',
  securityHandlers: {
    apiKey(request) {
      if (!request.caller.isKey) throw new Error('The API key is missing or invalid.');
    },
  },
  serviceHandlers: {
    listOrders: () => orders.list(),
    async cancelOrder(request, reply) {
      const { status, body } = replies[await orders.cancel(request.params.orderId, request.caller.id)];
      return reply.code(status).send(body);
    },
  },
});

await fastify.listen({ port: Number(PORT), host: '127.0.0.1' });
