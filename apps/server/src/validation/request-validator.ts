import { basePath, operations, type OperationId } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import { isObject, resolve, type JsonObject } from '@petstore/contract/json-pointer';
import type { Request, RequestHandler, Response } from 'express';
import { error as validatorErrors, middleware as openApiValidator } from 'express-openapi-validator';
import { ApiError } from '../http/api-error.ts';
import { int64Within } from './int64.ts';

/** The start of the names of the formats that stand for an exact int64 and its bounds. */
const EXACT_INT64 = 'int64-exact';
const MAX_MESSAGE_LENGTH = 300;

type Spec = Exclude<Parameters<typeof openApiValidator>[0]['apiSpec'], string>;

interface ExactFormat {
  readonly type: 'string';
  readonly validate: (text: string) => boolean;
}

/** A request that keeps to the contract, as its handler is given it: int64 parameters are bigint. */
export interface ValidInput {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

/**
 * Holds a request, whose body is parsed, against what the contract says of an operation. Rejects with an ApiError where
 * it differs, and with another error where the operation is not one that can be checked.
 */
export type RequestValidator = (
  req: Request,
  operation: { readonly operationId: OperationId; readonly pathParams: Readonly<Record<string, string>> },
) => Promise<ValidInput>;

/** What express-openapi-validator notes of an operation on its requests. Without it, it lets every request pass. */
interface Note {
  readonly schema: { readonly operationId?: string };
  readonly pathParams: Record<string, unknown>;
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
    ...forValidator(contract),
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
  const notes = new Map<OperationId, Note>();
  for (const [id, { method, path }] of Object.entries(operations)) {
    const target = basePath + path.replaceAll(/\{[^}]*\}/g, '-');
    const req = { method, path: target, originalUrl: target, baseUrl: '', app: { enabled: () => true } };
    await find(req).catch(() => undefined);
    const { openapi } = req as { openapi?: Note };
    if (openapi?.schema.operationId !== id)
      throw new Error(`express-openapi-validator does not find ${id} at ${method} ${target}`);
    notes.set(id as OperationId, openapi);
  }

  const check = step('requestMiddleware');
  return async (req, { operationId, pathParams }) => {
    const note = notes.get(operationId);
    if (!note) throw new Error(`${operationId} is no operation that can be validated`);
    const openapi: Note = { ...note, pathParams: { ...pathParams } };
    await check(Object.assign(req, { openapi })).catch((error: unknown) => {
      throw refusalOf(error);
    });
    const { int64 = [] } = operations[operationId];
    return {
      path: exact(openapi.pathParams, int64),
      query: exact(req.query, int64),
      body: req.body,
    };
  };
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

/** int64 values were validated as strings; they leave as bigint. */
function exact(values: Record<string, unknown>, int64: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      int64.includes(name) ? BigInt(value as string) : value,
    ]),
  );
}

/** What the client is told of an error of the validator; an error of another kind as it is. */
function refusalOf(error: unknown): unknown {
  if (error instanceof validatorErrors.UnsupportedMediaType) {
    return new ApiError('unsupported_media_type', 'The operation does not accept a body of this media type.');
  }
  if (!(error instanceof validatorErrors.BadRequest)) return error;
  const { message, errors: [first] = [] } = error;
  const isAboutWhole = !first || (first.path.startsWith('/query/') && !first.message.startsWith('must'));
  if (isAboutWhole) return new ApiError('invalid_request', `${message.slice(0, MAX_MESSAGE_LENGTH)}.`);
  const name = first.path.split('/').at(-1) ?? '';
  const wrong = first.message.includes(EXACT_INT64) ? 'must be a 64-bit decimal integer' : first.message;
  return new ApiError('invalid_request', `${name} ${wrong}.`.slice(0, MAX_MESSAGE_LENGTH));
}

/**
 * The contract as the validator needs it: served under the base path, and with int64 parameters as strings of exact
 * formats, one for each set of bounds. As integers it would turn them into doubles, and 9007199254740993 into another
 * order's id.
 */
export function forValidator(document: JsonObject): { apiSpec: Spec; formats: Record<string, ExactFormat> } {
  const copy = structuredClone(document);
  const formats: Record<string, ExactFormat> = {};
  copy['servers'] = [{ url: basePath }];
  for (const parameter of parametersIn(copy)) {
    // RFC 3986 §3.4 allows these characters in a query, and encodeURIComponent leaves some of them as they are.
    if (parameter.in === 'query') parameter.allowReserved = true;
    const schema = dereferenced(parameter.schema, copy);
    if (schema['format'] === 'int64' && (parameter.in === 'path' || parameter.in === 'query')) {
      const format = `${EXACT_INT64}-${Object.keys(formats).length}`;
      formats[format] = { type: 'string', validate: int64Within(schema) };
      parameter.schema = { type: 'string', format };
    }
  }
  return { apiSpec: copy as unknown as Spec, formats };
}

interface Parameter {
  in?: string;
  allowReserved?: boolean;
  schema?: JsonObject;
}

function* parametersIn(node: unknown, key = ''): Iterable<Parameter> {
  if (typeof node !== 'object' || node === null) return;
  if (key === 'parameters') yield* Object.values(node) as Parameter[];
  for (const [name, child] of Object.entries(node)) yield* parametersIn(child, name);
}

/** A schema that several parameters share, written out. */
function dereferenced(schema: JsonObject | undefined, document: JsonObject): JsonObject {
  const reference = schema?.['$ref'];
  if (typeof reference !== 'string') return schema ?? {};
  const target = resolve(document, reference);
  return isObject(target) ? dereferenced(target, document) : {};
}
