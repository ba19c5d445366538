import type { JsonObject } from '@contract-kit/core/json';
import { readModel } from '@contract-kit/core/model';
import { contract, model } from './library/contract.ts';
import express, { type RequestHandler } from 'express';
import { requireSecurity } from '../src/pipeline/require-security.ts';
import { schemesOf } from '../src/pipeline/schemes.ts';
import { dispatch } from '../src/pipeline/dispatch.ts';
import { setContext, type RequestContext } from '../src/pipeline/request-context.ts';
import { validate } from '../src/pipeline/validate.ts';
import { createParameterReaders } from '../src/validation/request-validator.ts';
import { sentSchemas } from '../src/validation/sent-schemas.ts';
import { startTestService } from './library/service.ts';
import { listen } from '@contract-kit/test-support/testing';

/** The status that `stage` gives a request for `operationId` without a key; 299 if it passes the request on. */
async function statusAfter(stage: RequestHandler, operationId = 'listLoans'): Promise<number> {
  const operation = model.operationOf.get(operationId);
  const match: RequestHandler = (req, _res, next) => {
    const context = { match: { kind: 'operation', operationId, operation, pathParams: {} } };
    setContext(req, context as unknown as RequestContext);
    next();
  };
  const passed: RequestHandler = (_req, res) => void res.sendStatus(299);
  return (await fetch(await listen(express().use(match, stage, passed)))).status;
}

describe('an operation that a stage does not know is an error', () => {
  test('when security is checked', async () => {
    expect(await statusAfter(requireSecurity(contract, model, schemesOf(model)), 'getOwner')).toBe(500);
  });

  test('when requests are validated', async () => {
    expect(await statusAfter(await validate(contract, model))).toBe(299);
    expect(await statusAfter(await validate(contract, model), 'getOwner')).toBe(500);
  });
});

test('a request that was not validated reaches no handler', async () => {
  const handlers = Object.fromEntries(model.operations.map(({ id }) => [id, () => ({ status: 204 })]));
  expect(
    await statusAfter(dispatch(model, { handlers, examples: {}, safeRepeats: undefined as never })),
  ).toBe(500);
});

test('the service does not start without a handler for every operation', async () => {
  await expect(startTestService({ handlers: { cancelLoan: undefined } })).rejects.toThrow(
    'the operation cancelLoan has no handler',
  );
});

test('does not start with an unsupported security scheme', () => {
  const known = new Map([...schemesOf(model)].filter(([name]) => name !== 'apiKey'));
  expect(() => requireSecurity({ name: 'x' }, model, known)).toThrow(
    'requires apiKey, which is not a supported security scheme',
  );
});

function readersOf(document: JsonObject) {
  const read = readModel(document);
  return createParameterReaders(read, contract.basePath, sentSchemas(read.schemas));
}

describe('a path parameter', () => {
  const readersFor = (schema: object) => {
    const document = structuredClone(contract.document) as { paths: Record<string, Record<string, object>> };
    const parameters = [{ name: 'loanId', in: 'path', required: true, schema }];
    Object.assign(document.paths['/loans/{loanId}']?.['delete'] ?? {}, { parameters });
    return readersOf(document);
  };

  test('that rejects the trial request at the start does not stop the start', async () => {
    const readers = await readersFor({ type: 'integer', format: 'int64', minimum: 1 });
    expect(readers).toBeInstanceOf(Map);
  });

  test.each([[{ type: 'string', enum: [] }], [{ type: 'string', pattern: '(' }], [{ oneOf: 'x' }]])(
    'whose schema %j does not compile stops the start, and the error names the operation',
    async (schema) => {
      await expect(readersFor(schema)).rejects.toThrow('the parameters of cancelLoan cannot be validated');
    },
  );
});

test('schemas of two contracts in one process may have the same $id', async () => {
  const schema = { $id: 'https://example.com/q', type: ['string', 'array'] };
  const document = structuredClone(contract.document) as { paths: Record<string, Record<string, object>> };
  const parameters = [{ name: 'q', in: 'query', schema }];
  Object.assign(document.paths['/loans']?.['get'] ?? {}, { parameters });
  for (const item of [document, structuredClone(document)])
    await expect(readersOf(item)).resolves.toBeInstanceOf(Map);
});
