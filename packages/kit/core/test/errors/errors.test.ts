import type { JsonObject } from '../../src/json/json-pointer.ts';
import { completed } from '../../src/openapi/complete.ts';
import { parseContract } from '../../src/openapi/source-document.ts';
import { errorsOf } from '../../src/errors/errors.ts';
import { readModel } from '../../src/model/index.ts';

/* Which errors the pipeline sends instead of a handler. */

const KEY = { type: 'apiKey', in: 'header', name: 'X-Key' };
const OAUTH = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/token', scopes: { write: '' } } } };
const IDEMPOTENT = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }];
const BODY = { content: { 'application/json': { schema: { type: 'object' } } } };
const PLANS = { 'x-rate-limit-plans': { free: { name: 'Free', perMinute: 60, perDay: 1000 } } };

/** The operation of a contract that has only this one. */
function contractWith(operation: object, more: object = {}) {
  return parseContract(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Things', version: '1.0.0' },
      paths: { '/things': { post: { responses: { 204: { description: 'Done.' } }, ...operation } } },
      components: { securitySchemes: { key: KEY, oauth: OAUTH } },
      ...more,
    }),
  );
}

const statusesOf = (contract: ReturnType<typeof contractWith>) => {
  const model = readModel(contract.document as JsonObject);
  const errors = model.operations.flatMap((operation) => errorsOf(operation, model));
  return [...new Set(errors.map(({ status }) => status))];
};

test.each<[string, object, object, number[]]>([
  ['is open to everyone', {}, {}, [400, 500, 503]],
  ['is open, in a contract with plans', {}, PLANS, [400, 429, 500, 503]],
  ['is open, in a contract whose list of plans is empty', {}, { 'x-rate-limit-plans': {} }, [400, 500, 503]],
  ['needs a key', { security: [{ key: [] }] }, {}, [400, 401, 429, 500, 503]],
  ['may be called without a key', { security: [{ key: [] }, {}] }, {}, [400, 500, 503]],
  ['needs a scope', { security: [{ oauth: ['write'] }] }, {}, [400, 401, 403, 429, 500, 503]],
  ['takes a body', { requestBody: BODY }, {}, [400, 413, 415, 500, 503]],
  ['may be repeated safely', { parameters: IDEMPOTENT }, {}, [400, 409, 422, 500, 503]],
  ['declares 422, and not 400', { responses: { 204: {}, 422: {} } }, {}, [422, 500, 503]],
  ['declares both', { responses: { 204: {}, 400: {}, 422: {} } }, {}, [400, 500, 503]],
])('an operation that %s', (_what, operation, more, statuses) => {
  const contract = contractWith(operation, more);
  expect(statusesOf(contract)).toEqual(statuses);
  const [published] = readModel(completed(contract).document as JsonObject).operations;
  const declared = published?.responses.map(({ status }) => Number(status)).filter((status) => status >= 400);
  expect(declared).toEqual(expect.arrayContaining(statuses));
});
