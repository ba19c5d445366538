import { contract } from './library/contract.ts';
import express, { type RequestHandler } from 'express';
import { requireSecurity } from '../src/pipeline/require-security.ts';
import { schemesOf } from '../src/pipeline/schemes.ts';
import { dispatch } from '../src/pipeline/dispatch.ts';
import { setContext, type RequestContext } from '../src/pipeline/request-context.ts';
import { validate } from '../src/pipeline/validate.ts';
import { createRequestValidator } from '../src/validation/request-validator.ts';
import { startTestService } from './library/service.ts';
import { listen } from './support/listen.ts';

/** The status of a request that `stage` meets as one for `operationId`, without a key; 299 if it lets it pass. */
async function statusAfter(stage: RequestHandler, operationId = 'listLoans'): Promise<number> {
  const operation = contract.operations[operationId];
  const match: RequestHandler = (req, _res, next) => {
    const context = { match: { kind: 'operation', operationId, operation, pathParams: {} } };
    setContext(req, context as unknown as RequestContext);
    next();
  };
  const passed: RequestHandler = (_req, res) => void res.sendStatus(299);
  return (await fetch(await listen(express().use(match, stage, passed)))).status;
}

describe('an operation that a stage knows nothing of is an error', () => {
  test('where security is looked at', async () => {
    expect(await statusAfter(requireSecurity(contract, schemesOf(contract)), 'getOwner')).toBe(500);
  });

  test('where requests are validated', async () => {
    expect(await statusAfter(await validate(contract))).toBe(299);
    expect(await statusAfter(await validate(contract), 'getOwner')).toBe(500);
  });
});

test('a request that was not validated reaches no handler', async () => {
  const handlers = Object.fromEntries(
    Object.keys(contract.operations).map((id) => [id, () => ({ status: 204 })]),
  );
  expect(await statusAfter(dispatch(contract, handlers))).toBe(500);
});

test('an operation without a handler keeps the service from starting', async () => {
  await expect(startTestService({ handlers: { cancelLoan: undefined } })).rejects.toThrow(
    'the operation cancelLoan has no handler',
  );
});

test('an operation that the contract does not describe keeps the service from starting', async () => {
  const paths = { ...(contract.document['paths'] as object), '/loans/{loanId}': {} };
  const document = { ...contract.document, paths };
  await expect(createRequestValidator({ ...contract, document })).rejects.toThrow('DELETE /loans/{loanId}');
});

test('does not start with an unsupported security scheme', () => {
  const listLoans = [['apiKey'], ['session']];
  expect(() => requireSecurity({ name: 'x', security: { listLoans } }, schemesOf(contract))).toThrow(
    'listLoans requires session',
  );
});

describe('a path parameter', () => {
  const validatorFor = (schema: object) => {
    const document = structuredClone(contract.document) as { paths: Record<string, Record<string, object>> };
    const parameters = [{ name: 'loanId', in: 'path', required: true, schema }];
    Object.assign(document.paths['/loans/{loanId}']?.['delete'] ?? {}, { parameters });
    return createRequestValidator({ ...contract, document });
  };

  test('that the request made at the start breaks does not keep the service from starting', async () => {
    const validate = await validatorFor({ type: 'integer', format: 'int64', minimum: 1 });
    expect(validate).toBeInstanceOf(Function);
  });

  test.each([[{ type: 'string', enum: [] }], [{ type: 'string', pattern: '(' }], [{ oneOf: 'x' }]])(
    'of the schema %j, which does not compile, keeps the service from starting, by its operation',
    async (schema) => {
      await expect(validatorFor(schema)).rejects.toThrow('the parameters of cancelLoan cannot be validated');
    },
  );
});

test('schemas with one $id in two contracts of one process do not meet', async () => {
  const schema = { $id: 'https://example.com/q', type: ['string', 'array'] };
  const document = structuredClone(contract.document) as { paths: Record<string, Record<string, object>> };
  const parameters = [{ name: 'q', in: 'query', schema }];
  Object.assign(document.paths['/loans']?.['get'] ?? {}, { parameters });
  for (const item of [document, structuredClone(document)])
    await expect(createRequestValidator({ ...contract, document: item })).resolves.toBeInstanceOf(Function);
});
