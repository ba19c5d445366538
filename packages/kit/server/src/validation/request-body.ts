import type { Contract, Operation } from '@kit/contract';
import { dereferenced, describedOperation, objectAt } from '@kit/contract/described-operation';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import { essenceOf, isBinary, requestKindOf, type BodyKind } from '@kit/contract/media-type';
import { propertiesOf, withSubschemas } from '@kit/contract/schema-view';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ApiError, invalidRequest } from '../http/api-error.ts';
import { entriesOf } from './form.ts';
import { jsonIn, roundedNumberIn } from './exact-number.ts';
import { sentSchemas } from './sent-schemas.ts';
import { typesIn, valued } from './structured-parameter.ts';

interface Sent {
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly bytes: Buffer | undefined;
}

/**
 * Reads the body of a request by its media type: undefined if it is absent and optional. `check` validates it and fills
 * in defaults. Both throw an ApiError for an invalid body.
 */
export type BodyReader = (operationId: string, sent: Sent) => ReadBody | Promise<ReadBody>;

interface ReadBody {
  readonly body: unknown;
  readonly check: () => void;
}

const NO_BODY = { body: undefined, check: () => undefined };

interface Taken {
  readonly kind: BodyKind;
  readonly validate: ValidateFunction;
  readonly fields: JsonObject;
  readonly resolve: (schema: unknown) => JsonObject;
}

/** Compiles the body of every operation that has one. Throws if a schema cannot be compiled. */
export function createBodyReader({ document, operations }: Contract): BodyReader {
  const compile = sentSchemas(document);
  const taken = new Map(
    Object.entries(operations)
      .filter(([, operation]) => operation.body)
      .map(([id, operation]) => [id, typesTaken(compile, document, operation)]),
  );

  return (operationId, sent) => {
    const expected = operations[operationId]?.body;
    if (!expected || (!sent.bytes?.length && expected === 'optional')) return NO_BODY;
    return readBody(taken.get(operationId) ?? new Map<string, Taken>(), sent);
  };
}

async function readBody(
  types: ReadonlyMap<string, Taken>,
  { contentType, contentEncoding, bytes }: Sent,
): Promise<ReadBody> {
  const type = findType(types, essenceOf(contentType));
  if (!bytes?.length && (contentType === '' || type === undefined || type.kind === 'json'))
    throw invalidRequest('The body is missing');
  if (!type || !/^(identity)?$/i.test(contentEncoding)) {
    const all = [...types.keys()].join(' or ');
    throw new ApiError('unsupported_media_type', `The body must be ${all}, and not encoded.`);
  }
  const body = await read(type, contentType, bytes ?? Buffer.alloc(0));
  return {
    body,
    check() {
      if (!type.validate(body)) throw refusalOf(type.validate.errors?.at(-1));
    },
  };
}

function typesTaken(
  compile: ReturnType<typeof sentSchemas>,
  document: JsonObject,
  operation: Operation,
): Map<string, Taken> {
  const { definition } = describedOperation(document, operation);
  const requestBody = dereferenced(definition['requestBody'], document);
  const resolve = (value: unknown) => dereferenced(value, document);
  const types = Object.entries(objectAt(requestBody, 'content')).map(([type, media]): [string, Taken] => {
    const schema = isObject(media) ? media['schema'] : undefined;
    const written = schema ?? {};
    const kind = requestKindOf(type, schema === undefined ? undefined : resolve(schema));
    const form = () => withoutBytes(resolve(written), resolve);
    const isValue = kind === 'json' || (kind === 'text' && typesIn(written, resolve).has('string'));
    const validate = compile(kind === 'form' ? form() : isValue ? written : {});
    const fields = propertiesOf(resolve(written), { resolve });
    return [essenceOf(type), { kind, validate, fields, resolve }];
  });
  return new Map(types);
}

/** Binary parts of a form are not strings, although the schema says so. */
function withoutBytes(schema: JsonObject, resolve: (value: unknown) => JsonObject): JsonObject {
  return withSubschemas(schema, (child, place) => {
    if (place !== 'properties') return child;
    const property = resolve(child);
    if (isBinary(property)) return {};
    return isBinary(resolve(property['items'])) ? { ...property, items: {} } : child;
  });
}

function findType(types: ReadonlyMap<string, Taken>, sent: string): Taken | undefined {
  return types.get(sent) ?? types.get(`${sent.split('/')[0]}/*`) ?? types.get('*/*');
}

async function read(taken: Taken, contentType: string, bytes: Buffer): Promise<unknown> {
  if (taken.kind === 'bytes') return new Uint8Array(bytes);
  if (taken.kind === 'form') return readForm(taken, contentType, bytes);
  return taken.kind === 'json' ? readJson(bytes) : textOf(bytes);
}

/** JSON is UTF-8 (RFC 8259 §8.1). */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest('The body must be text in UTF-8');
  }
}

function readJson(bytes: Buffer): unknown {
  const text = textOf(bytes);
  const body = jsonIn(text, 'The body must be valid JSON');
  const rounded = roundedNumberIn(text);
  if (rounded !== undefined)
    throw invalidRequest(`The number ${rounded.slice(0, 40)} in the body would be rounded`);
  return body;
}

async function readForm({ fields, resolve }: Taken, contentType: string, bytes: Buffer): Promise<JsonObject> {
  const values = new Map<string, (string | Uint8Array)[]>();
  for (const [name, value] of await entriesOf(contentType, bytes)) {
    const key = Object.hasOwn(fields, name) ? name : name.replace(/\[\]$/, '');
    const others = values.get(key);
    if (others) others.push(value);
    else values.set(key, [value]);
  }
  // Not an assignment: a field may be called `__proto__`.
  return Object.fromEntries(
    [...values].map(([name, [first, ...more]]): [string, unknown] => {
      const schema = Object.hasOwn(fields, name) ? resolve(fields[name]) : {};
      if (typesIn(schema, resolve).has('array'))
        return [name, [first, ...more].map((item) => valueOf(name, resolve(schema['items']), item, resolve))];
      if (more.length > 0) throw invalidRequest(`${name} is sent twice`);
      return [name, valueOf(name, schema, first, resolve)];
    }),
  );
}

/** A form field as a value of its type. Objects and lists in it are JSON. */
function valueOf(name: string, schema: JsonObject, sent: unknown, resolve: Taken['resolve']): unknown {
  if (typeof sent !== 'string') return sent;
  if (isBinary(schema)) return new Uint8Array(Buffer.from(sent));
  const types = typesIn(schema, resolve);
  if (!types.has('object') && !types.has('array')) return valued(sent, schema, resolve);
  return jsonIn(sent, `${name} must be JSON`);
}

function refusalOf(error: ErrorObject | undefined): ApiError {
  const { instancePath = '', keyword = '', message = 'is invalid', params = {} } = error ?? {};
  const wrong =
    keyword === 'false schema'
      ? 'is read-only'
      : params['format'] === 'int64'
        ? 'must be an integer within ±(2^53−1)'
        : message;
  const extra = 'additionalProperty' in params ? ` (${String(params['additionalProperty'])})` : '';
  return invalidRequest(`body${instancePath} ${wrong}${extra}`);
}
