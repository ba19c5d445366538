import { contractAjv } from '@petstore/contract/contract-ajv';
import { operations, type OperationId } from '@petstore/contract';
import { describedOperation, type Parameter } from '@petstore/contract/described-operation';
import { document } from '@petstore/contract/document';
import { isObject, type JsonObject } from '@petstore/contract/json-pointer';
import type { Request, Response } from 'express';
// Its main file would load the document once more, and compile the schema of OpenAPI for it.
import { BadRequest } from 'express-openapi-validator/dist/framework/types.js';
import { RequestValidator as OpenApiValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { invalidRequest } from '../http/api-error.ts';
import { parameterReader, type ParameterValues } from './parameters.ts';

/** A request that keeps to the contract, as its handler is given it. */
export interface ValidInput extends ParameterValues {
  readonly body: unknown;
}

/** Reads the parameters of a request. Throws an ApiError if they break the contract. */
export type RequestValidator = (
  req: Request,
  operation: { readonly operationId: OperationId; readonly pathParams: Readonly<Record<string, string>> },
) => ParameterValues;

/**
 * Makes a validator of the parameters of each operation. Throws if the contract does not describe one. Of
 * express-openapi-validator only the check of requests is used, because `match` knows the operation.
 */
export function createRequestValidator(contract: JsonObject = document): RequestValidator {
  const known = new Map(
    Object.entries(operations).map(([id, operation]) => {
      const { parameters } = describedOperation(contract, operation);
      const schema = { parameters: parameters.map(asValidated) };
      return [id, { path: operation.path, schema, parameters, read: parameterReader(parameters) }] as const;
    }),
  );
  const validator = new OpenApiValidator(
    { openapi: '3.1.0', info: { title: '', summary: '', version: '' }, components: {}, webhooks: {} },
    { strict: false, validateSchema: false, formats: contractAjv().formats },
  );

  const asked = new Set<OperationId>();

  return (req, { operationId, pathParams }) => {
    const operation = known.get(operationId);
    if (!operation) throw new Error(`${operationId} is no operation that can be validated`);
    const { path, schema, parameters, read } = operation;
    const values = read(req, pathParams);
    // Without parameters each request is the same to the validator, so it is asked about the first alone.
    if (parameters.length === 0 && asked.has(operationId)) return values;
    const request = {
      method: operations[operationId].method,
      // It reads no text of the query: that is done.
      originalUrl: '',
      // Without this note it lets every request pass.
      openapi: { expressRoute: path, schema, pathParams: withDigits(values.path) },
      params: {},
      query: withDigits(values.query),
      // No Content-Type: it would remember a compiled validator for each that it meets.
      headers: withDigits(values.headers, (name) => name.toLowerCase()),
    };
    try {
      void validator.validate(request as unknown as Request, {} as Response, () => asked.add(operationId));
    } catch (error) {
      throw refusalOf(error, parameters);
    }
    return values;
  };
}

/** The values as the validator takes them: int64, which are exact already, as their digits. */
function withDigits(
  values: Readonly<Record<string, unknown>>,
  nameOf = (name: string) => name,
): Record<string, unknown> {
  const digits = (value: unknown): unknown =>
    typeof value === 'bigint' ? String(value) : Array.isArray(value) ? value.map(digits) : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [nameOf(name), digits(value)]));
}

/** What the client is told of an error of the validator; an error of another kind as it is. */
function refusalOf(error: unknown, parameters: readonly Parameter[]): unknown {
  if (!(error instanceof BadRequest)) return error;
  const { message, errors: [first] = [] } = error;
  if (!first) return invalidRequest(message);
  const [, place = '', sent = place] = first.path.split('/');
  // The validator knows headers in lower case only.
  const header = parameters.find(({ in: at, name }) => at === 'header' && name.toLowerCase() === sent);
  const name = place === 'headers' && header ? header.name : sent;
  const wrong = first.message.startsWith('must have required property') ? 'is missing' : first.message;
  return invalidRequest(`${name} ${wrong}`);
}

/** A parameter as the validator is given it: as it is read, so that nothing is left for it to split or unwrap. */
function asValidated({ name, in: place, required, schema }: Parameter): object {
  // Whether a text may be empty is for its schema to say.
  const empty = place === 'query' && { allowEmptyValue: true };
  return { name, in: place, required, schema: inDigits(schema), ...empty };
}

/** The schema of a parameter with int64 as digits, because the validator would round them to doubles. */
function inDigits(schema: JsonObject): JsonObject {
  const { items } = schema;
  if (isObject(items)) return { ...schema, items: inDigits(items) };
  // Null is an empty text to the validator.
  return schema['format'] === 'int64' ? { type: 'string' } : schema;
}
