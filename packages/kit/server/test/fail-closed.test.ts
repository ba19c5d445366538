import { operations } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import type { RequestHandler } from 'express';
import { authorize } from '../src/pipeline/authorize.ts';
import { dispatch } from '../src/pipeline/dispatch.ts';
import type { Handlers } from '../src/pipeline/handler.ts';
import { validate } from '../src/pipeline/validate.ts';
import { createRequestValidator } from '../src/validation/request-validator.ts';
import { startTestService } from './support/service.ts';
import { serveStages } from './support/stages.ts';

/** The status of a request that `stage` meets as one for `operationId`, without a key; 299 if it lets it pass. */
async function statusAfter(stage: RequestHandler, operationId = 'listOrders'): Promise<number> {
  const passed: RequestHandler = (_req, res) => void res.sendStatus(299);
  return (await fetch(await serveStages(() => operationId, stage, passed))).status;
}

describe('an operation that a stage knows nothing of is an error', () => {
  test('where security is looked at', async () => {
    expect(await statusAfter(authorize(), 'getOwner')).toBe(500);
  });

  test('where requests are validated', async () => {
    expect(await statusAfter(await validate())).toBe(299);
    expect(await statusAfter(await validate(), 'getOwner')).toBe(500);
  });
});

test('a request that was not validated reaches no handler', async () => {
  const handlers = Object.fromEntries(Object.keys(operations).map((id) => [id, () => ({ status: 204 })]));
  expect(await statusAfter(dispatch(handlers as unknown as Handlers))).toBe(500);
});

test('an operation without a handler keeps the service from starting', async () => {
  await expect(startTestService({ handlers: { getPet: undefined } })).rejects.toThrow(
    'the operation getPet has no handler',
  );
});

test('an operation that the contract does not describe keeps the service from starting', async () => {
  const paths = { ...(document['paths'] as object), '/pets/{petId}': {} };
  await expect(createRequestValidator({ ...document, paths })).rejects.toThrow('GET /pets/{petId}');
});

test('a scheme that nobody looks for keeps the service from starting', () => {
  const listOrders = { security: [['apiKey'], ['session']] };
  expect(() => authorize({ listOrders })).toThrow('listOrders asks for session');
});

test('a path parameter that the request made at the start breaks does not keep the service from starting', async () => {
  const contract = structuredClone(document) as { paths: Record<string, Record<string, object>> };
  const schema = { type: 'integer', format: 'int64', minimum: 1 };
  const parameters = [{ name: 'orderId', in: 'path', required: true, schema }];
  Object.assign(contract.paths['/store/orders/{orderId}']?.['delete'] ?? {}, { parameters });
  const validate = await createRequestValidator({ ...document, paths: contract.paths });
  expect(validate).toBeInstanceOf(Function);
});
