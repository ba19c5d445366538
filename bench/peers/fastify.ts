/**
 * Peer (b): Fastify 5 with fastify-openapi-glue and @fastify/rate-limit, as their READMEs put them together.
 * Started as `node fastify.js DATABASE CONTRACT PORT [TRUSTED_PROXY]`, with a REDIS_URL to count there.
 */
import { readFileSync } from 'node:fs';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { parse } from 'yaml';
import { accessLog } from './access-log.ts';
import { replies, type Caller } from './orders.ts';
import { openOrdersAt, redis } from './shared-orders.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

const [database = '', contract = '', port, trustedProxy] = process.argv.slice(2);
const orders = openOrdersAt(database);

const fastify = Fastify({
  logger: false,
  trustProxy: trustedProxy ?? false,
  // The contract has keywords that JSON Schema does not know; undeclared parameters are refused, not removed.
  ajv: { customOptions: { strict: false, removeAdditional: false } },
});

fastify.decorateRequest('caller', null as unknown as Caller);
fastify.addHook('onRequest', async (request) => {
  request.caller = await orders.identify(request.headers.authorization, request.ip);
});

if (accessLog) {
  fastify.addHook(
    'onResponse',
    ({ method, url, ip: address }, { statusCode: status, elapsedTime: ms }, done) => {
      accessLog?.info({ method, path: url, status, address, ms });
      done();
    },
  );
}

for (const [timeWindow, quota] of [
  ['1 day', 'perDay'],
  ['1 minute', 'perMinute'],
] as const) {
  await fastify.register(rateLimit, {
    timeWindow,
    max: (request) => request.caller[quota],
    keyGenerator: (request) => request.caller.id,
    cache: 20_000,
    ...(redis && { redis, nameSpace: `fastify-${quota}-` }),
  });
}

const codes: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized',
  429: 'rate_limit_exceeded',
};
fastify.setErrorHandler((error: FastifyError, _request, reply) => {
  const status = error.statusCode ?? 500;
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer realm="petstore"');
  return reply.code(status).send({ code: codes[status] ?? 'internal_error', message: error.message, status });
});

// The glue makes no schema where the contract declares no query parameter; the contract refuses unknown ones.
fastify.addHook('onRoute', (route) => {
  if (route.schema) route.schema.querystring ??= { type: 'object', additionalProperties: false };
});

await fastify.register(openapiGlue, {
  // Parsed here, because its own parser refuses a document with more than 100 aliases, as one of 103 operations has.
  specification: JSON.parse(
    JSON.stringify(parse(readFileSync(contract, 'utf8'), { maxAliasCount: -1 })),
  ) as object,
  prefix: 'v1',
  securityHandlers: {
    apiKey: (request: FastifyRequest) => {
      if (!request.caller.isKey) throw new Error('The API key is missing or invalid.');
    },
  },
  serviceHandlers: {
    // One of the operations that `src/more-operations.ts` adds to a contract.
    createThing7: (request: FastifyRequest, reply: FastifyReply) => reply.code(201).send(request.body),
    listOrders: () => orders.list(),
    async cancelOrder(request: FastifyRequest<{ Params: { orderId: number } }>, reply: FastifyReply) {
      const { status, body } = replies[await orders.cancel(request.params.orderId, request.caller.id)];
      return reply.code(status).send(body);
    },
  },
});

await fastify.listen({ port: Number(port), host: '127.0.0.1' });
