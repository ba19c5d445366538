import { basePath, operations, type OperationId } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import { isObject, type JsonObject } from '@petstore/contract/json-pointer';
import type { Request, RequestHandler, Response } from 'express';
import { error as validatorErrors, middleware as openApiValidator } from 'express-openapi-validator';
import { ApiError } from '../http/api-error.ts';
import { dereferenced, describedOperation, objectAt, type Parameter } from './described-operation.ts';
import { parameterReader, type ParameterValues } from './parameters.ts';

const MAX_MESSAGE_LENGTH = 300;

type Spec = Exclude<Parameters<typeof openApiValidator>[0]['apiSpec'], string>;

/** A request that keeps to the contract, as its handler is given it. */
export interface ValidInput extends ParameterValues {
  readonly body: unknown;
}

/**
 * Holds a request, but for what is in its body, against what the contract says of an operation. Rejects with an ApiError where
 * it differs, and with another error where the operation is not one that can be checked.
 */
export type RequestValidator = (
  req: Request,
  operation: { readonly operationId: OperationId; readonly pathParams: Readonly<Record<string, string>> },
  hasBody?: boolean,
) => Promise<ParameterValues>;

/** What express-openapi-validator notes of an operation on its requests. Without it, it lets every request pass. */
interface Note {
  readonly schema: { readonly operationId?: string };
}

/**
 * Loads express-openapi-validator with the contract. Rejects when it cannot work with the document: left alone, it
 * would start and answer every request with 500.
 *
 * Of its steps only the last is taken on each request. It would look for the operation of each anew, compiling the
 * pattern of one path after the other, at a cost that grows with the contract; `match` knows the operation, so it is
 * asked for its note at the start, once for each. Security is up to `authorize`.
 */
export async function createRequestValidator(contract: JsonObject = document): Promise<RequestValidator> {
  const steps = openApiValidator({
    apiSpec: forValidator(contract),
    validateRequests: true,
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
  }) as unknown as RequestHandler[];
  const step = (name: string) => {
    const found = steps.find((each) => each.name === name);
    if (!found) throw new Error(`express-openapi-validator has changed: it has no ${name}`);
    return (req: object) => run(found, req);
  };
  // The first of them waits until the document is loaded, and passes on what was wrong with it.
  await step('pathParamsMiddleware')({ app: { param: () => undefined } }).catch((cause: unknown) => {
    throw new Error('the contract cannot be used for validation', { cause });
  });

  const find = step('metadataMiddleware');
  const known = new Map<
    OperationId,
    { note: Note; parameters: readonly Parameter[]; read: ReadParameters }
  >();
  for (const [id, operation] of Object.entries(operations)) {
    const { method, path } = operation;
    const target = basePath + path.replaceAll(/\{[^}]*\}/g, '-');
    const req = { method, path: target, originalUrl: target, baseUrl: '', app: { enabled: () => true } };
    await find(req).catch(() => undefined);
    const { openapi } = req as { openapi?: Note };
    if (openapi?.schema.operationId !== id)
      throw new Error(`express-openapi-validator does not find ${id} at ${method} ${target}`);
    const { parameters } = describedOperation(contract, operation);
    known.set(id as OperationId, { note: openapi, parameters, read: parameterReader(parameters) });
  }

  const check = step('requestMiddleware');
  return async (req, { operationId, pathParams }, hasBody = false) => {
    const operation = known.get(operationId);
    if (!operation) throw new Error(`${operationId} is no operation that can be validated`);
    const { note, parameters, read } = operation;
    const values = read(req, pathParams);
    await check({
      method: operations[operationId].method,
      // It reads no text of the query: that is done.
      originalUrl: '',
      openapi: { ...note, pathParams: withDigits(values.path) },
      params: {},
      query: withDigits(values.query),
      headers: {
        ...withDigits(values.headers, (name) => name.toLowerCase()),
        // It remembers a compiled validator for every Content-Type it meets, and parses it slowly: so it meets one, or none.
        ...(hasBody && { 'content-type': 'application/json' }),
      },
      // All that it looks at is whether there is one.
      body: hasBody ? {} : undefined,
    }).catch((error: unknown) => {
      throw refusalOf(error, parameters);
    });
    return values;
  };
}

type ReadParameters = ReturnType<typeof parameterReader>;

/** The values as the validator takes them: int64, which are exact already, as their digits. */
function withDigits(
  values: Readonly<Record<string, unknown>>,
  nameOf = (name: string) => name,
): Record<string, unknown> {
  const digits = (value: unknown): unknown =>
    typeof value === 'bigint' ? String(value) : Array.isArray(value) ? value.map(digits) : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [nameOf(name), digits(value)]));
}

/** Takes one step of the validator. Rejects with what it passes on as an error. */
function run(step: RequestHandler, req: object): Promise<void> {
  return new Promise((resolve, reject) => {
    void step(req as Request, {} as Response, (error?: unknown) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
}

/** What the client is told of an error of the validator; an error of another kind as it is. */
function refusalOf(error: unknown, parameters: readonly Parameter[]): unknown {
  if (error instanceof validatorErrors.UnsupportedMediaType) {
    return new ApiError('unsupported_media_type', 'The operation does not accept a body of this media type.');
  }
  if (!(error instanceof validatorErrors.BadRequest)) return error;
  const { message, errors: [first] = [] } = error;
  if (!first) return new ApiError('invalid_request', `${message.slice(0, MAX_MESSAGE_LENGTH)}.`);
  const [, place = '', ...steps] = first.path.split('/');
  const sent = (place === 'body' ? steps.at(-1) : steps[0]) ?? place;
  // The validator knows headers in lower case only.
  const header = parameters.find(({ in: at, name }) => at === 'header' && name.toLowerCase() === sent);
  const name = place === 'headers' && header ? header.name : sent;
  const wrong = first.message.startsWith('must have required property') ? 'is missing' : first.message;
  return new ApiError('invalid_request', `${name} ${wrong}.`.slice(0, MAX_MESSAGE_LENGTH));
}

/**
 * The contract as the validator needs it: served under the base path, and with the parameters of each operation as they
 * are read, without references, and bodies that may be anything. int64 are digits: as integers it would turn them into doubles, and 9007199254740993 into
 * another order's id.
 */
export function forValidator(document: JsonObject): Spec {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of Object.values(operations)) {
    const { definition, parameters } = describedOperation(document, operation);
    const methods = (paths[operation.path] ??= {});
    methods[operation.method.toLowerCase()] = {
      ...definition,
      ...('requestBody' in definition && { requestBody: openBody(definition['requestBody'], document) }),
      responses: { 200: { description: '' } },
      parameters: parameters.map(({ name, in: place, required, schema }) => {
        // Whether a text may be empty is for its schema to say.
        const empty = place === 'query' && { allowEmptyValue: true };
        return { name, in: place, required, schema: inDigits(schema), ...empty };
      }),
    };
  }
  // The validator changes what it is given.
  const { securitySchemes = {} } = objectAt(document, 'components');
  const components = { securitySchemes };
  return structuredClone({ ...document, servers: [{ url: basePath }], paths, components }) as unknown as Spec;
}

/** A body that may be anything: the validator knows neither JSON Schema 2020-12 nor every discriminator. */
function openBody(requestBody: unknown, document: JsonObject): JsonObject {
  const { required = false } = dereferenced(requestBody, document);
  return { required, content: { 'application/json': { schema: {} } } };
}

/** The schema of a parameter, where int64 are digits; their bounds are looked at where they are read. */
function inDigits(schema: JsonObject): JsonObject {
  const { items } = schema;
  if (isObject(items)) return { ...schema, items: inDigits(items) };
  if (schema['format'] !== 'int64') return schema;
  return { type: [schema['type']].flat().map((type) => (type === 'integer' ? 'string' : type)) };
}
