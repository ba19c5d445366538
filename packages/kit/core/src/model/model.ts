import type { Deprecation } from '../contract/index.ts';
import { credentialOf, type SecurityScheme, idempotencyKeyOf } from '../http/index.ts';
import { isObject, referenceTo, type JsonObject } from '../json/index.ts';
import { requestBodyOf, responseOf } from './content.ts';
import { objectAt, parameterOf, withShared } from './described.ts';
import { createNamer } from './names.ts';
import { resolveIn } from './references.ts';
import { readSchemas, type Schemas } from './schemas.ts';
import type {
  Callback,
  Operation,
  OperationObject,
  Parameter,
  Pointer,
  Requirement,
  Response,
  ResponseLink,
} from './types.ts';

/** The methods of a path item, in the order in which operations are listed. */
export const METHODS = [
  ...(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const),
  'query',
] as const;

export function methodsOf(item: object): (typeof METHODS)[number][] {
  return METHODS.filter((method) => method in item);
}

/** A contract, read once, and passed to all that needs it: the one source of what an operation takes and sends. */
export interface Model {
  /** Its bases do not list what extends them. */
  readonly document: JsonObject;
  readonly schemas: Schemas;
  /** In the order of the document. */
  readonly operations: readonly Operation[];
  /** By their ids. */
  readonly operationOf: ReadonlyMap<string, Operation>;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** The statuses of the codes of errors, if the contract lists them. */
  readonly errorCodes: ReadonlyMap<string, number> | undefined;
  /** Whether it has plans of rate limits, so that every request counts. */
  readonly hasPlans: boolean;
  /** What the contract says that the service sends (OpenAPI 3.1 §4.8.1): only pages show it. The path is the name of the webhook. */
  readonly webhooks: readonly Operation[];
}

/** The model of a document as it is now. Generation has checked its shape. */
export function readModel(given: JsonObject, schemas: Schemas = readSchemas(given)): Model {
  const { document } = schemas;
  const schemes = schemesIn(document);
  const newName = createNamer();
  const stated = document['security'];
  const of = { schemas, schemes, newName, stated };
  const operations = itemsIn(document, 'paths').flatMap(([path, item]) =>
    operationsIn(schemas.resolve(item), path, ['paths', path], of),
  );
  let webhooks: readonly Operation[] | undefined;
  return {
    document,
    schemas,
    operations,
    operationOf: new Map(operations.map((operation) => [operation.id, operation])),
    schemes,
    errorCodes: errorCodesIn(document),
    hasPlans: Object.keys(objectAt(document, 'x-rate-limit-plans')).length > 0,
    get webhooks() {
      // The security of the document is that of the service.
      const called = { ...of, newName: createNamer(), stated: undefined };
      return (webhooks ??= itemsIn(document, 'webhooks').flatMap(([name, item]) =>
        operationsIn(schemas.resolve(item), name, ['webhooks', name], called),
      ));
    },
  };
}

interface Reading {
  readonly schemas: Schemas;
  readonly schemes: Model['schemes'];
  readonly newName: ReturnType<typeof createNamer>;
  /** The security of operations that state none. */
  readonly stated: unknown;
}

const itemsIn = (of: JsonObject, field: string) =>
  Object.entries(objectAt(of, field)).filter(([name]) => !name.startsWith('x-'));

/** The operations of a path item at `place`. */
function operationsIn(item: JsonObject, path: string, place: Pointer, of: Reading): Operation[] {
  return methodsOf(item).map((name) => operationOf(item, name, { path, place, of }));
}

function operationOf(
  item: JsonObject,
  name: (typeof METHODS)[number],
  { path, place, of }: { readonly path: string; readonly place: Pointer; readonly of: Reading },
): Operation {
  const { schemas, schemes, newName, stated } = of;
  const definition = item[name] as OperationObject;
  const pointer = [...place, name];
  const parametersAt = (holder: JsonObject, at: Pointer) =>
    list(holder['parameters']).map((entry, index) =>
      parameterOf(entry, [...at, 'parameters', index], schemas),
    );
  const security = securityOf(definition['security'] ?? stated, schemes);
  const all = withShared(
    parametersAt(item, place),
    parametersAt(definition, pointer),
    (parameter) => parameter,
  );
  const own = all
    .filter((parameter) => !carriesKey(parameter, security))
    .map((parameter) => withEnd(parameter, path));
  // Servers read no body of these methods (RFC 9110 §9.3.1).
  const body = /^(get|head|trace)$/.test(name) ? undefined : requestBodyOf(definition, own, schemas);
  // All of the body is passed as `body`.
  const isTaken = body !== undefined && !body.fields;
  const parameters = own.map((parameter) =>
    isTaken && parameter.name === 'body' ? { ...parameter, input: 'body_' } : parameter,
  );
  const responses = itemsIn(definition, 'responses');
  const maySucceed = successIn(responses.map(([status]) => status));
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const idempotencyKey = idempotencyKeyOf({
    method: name.toUpperCase(),
    headers: headers.map((header) => header.name),
  });
  const deprecation = deprecationOf(definition);
  return {
    id: newName(definition['operationId'], name, path),
    method: name.toUpperCase(),
    path,
    pointer,
    definition,
    parameters,
    ...(body && { body }),
    responses: responses.map(([status, response]) =>
      responseOf(status, response, [...pointer, 'responses', status], schemas, maySucceed(status)),
    ),
    security,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(deprecation && { deprecation }),
  };
}

/**
 * The requests that the service sends because of an operation (OpenAPI 3.1 §4.8.18). Read when they are asked for: only
 * pages show them, and a callback may have callbacks.
 */
export function callbacksOf(
  { definition, pointer }: Operation,
  { schemas, schemes }: Pick<Model, 'schemas' | 'schemes'>,
): Callback[] {
  return itemsIn(definition, 'callbacks').flatMap(([name, callback]) => {
    const of = { schemas, schemes, newName: createNamer(), stated: undefined };
    return itemsIn({ callback: schemas.resolve(callback) }, 'callback').map(([expression, item]) => ({
      name,
      expression,
      operations: operationsIn(
        schemas.resolve(item),
        expression,
        [...pointer, 'callbacks', name, expression],
        of,
      ),
    }));
  });
}

/** The operation that a link leads to; undefined if it is one of another contract, or of none. */
export function linkedOperation(
  { operationId, operationRef }: ResponseLink,
  { operations }: Pick<Model, 'operations'>,
): Operation | undefined {
  return operations.find(({ id, definition, pointer }) =>
    operationId === undefined
      ? referenceTo(pointer) === operationRef
      : operationId === definition.operationId || operationId === id,
  );
}

/** How people call an operation: `GET /loans`. */
export function operationName({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

/** The security schemes of a document, by their names. */
export function schemesIn(document: JsonObject): ReadonlyMap<string, SecurityScheme> {
  const named = objectAt(objectAt(document, 'components'), 'securitySchemes');
  return new Map(
    Object.entries(named).map(([name, scheme]): [string, SecurityScheme] => [
      name,
      resolveIn(document, scheme),
    ]),
  );
}

function errorCodesIn(document: JsonObject): Model['errorCodes'] {
  const listed = document['x-error-codes'];
  if (!isObject(listed)) return undefined;
  return new Map(Object.keys(listed).map((code) => [code, Number(objectAt(listed, code)['status'])]));
}

function deprecationOf({
  deprecated,
  'x-deprecated-since': since,
  'x-deprecated-sunset': sunset,
}: OperationObject): Deprecation | undefined {
  return deprecated && since ? { since, ...(sunset !== undefined && { sunset }) } : undefined;
}

function securityOf(value: unknown, schemes: Model['schemes']): Requirement[][] {
  return list(value).map((alternative) =>
    Object.entries(alternative as Record<string, readonly string[]>).map(([scheme, scopes]) => ({
      scheme,
      scopes,
      credential: credentialOf(schemes.get(scheme) ?? {}),
    })),
  );
}

function withEnd(parameter: Parameter, path: string): Parameter {
  if (parameter.in !== 'path') return parameter;
  const [, rest = ''] = path.split(`{${parameter.name}}`);
  const [, end] = /^([^/{]+)\{/.exec(rest) ?? [];
  return end === undefined ? parameter : { ...parameter, end };
}

/** A key that is also declared as a parameter is sent once: as the key. */
function carriesKey({ in: place, name }: Parameter, security: Operation['security']): boolean {
  const same = (other: string) =>
    place === 'header' ? other.toLowerCase() === name.toLowerCase() : other === name;
  return security
    .flat()
    .some(({ credential }) => credential !== undefined && credential.in === place && same(credential.name));
}

/** The declared successes, otherwise `default`. */
export function successesOf({ responses }: Operation): readonly Response[] {
  const isSuccess = successIn(responses.map(({ status }) => status));
  return responses.filter(({ status }) => isSuccess(status));
}

function successIn(statuses: readonly string[]): (status: string) => boolean {
  const isDeclared = (status: string) => /^[23]/.test(status);
  return statuses.some(isDeclared) ? isDeclared : (status) => status === 'default';
}

/** Whether it may respond with a stream of items. */
export function hasStream({ responses }: Pick<Operation, 'responses'>): boolean {
  return responses.some(({ content }) => content.some(({ form }) => form));
}

/** The response for a status: its own, that of its range, or `default`. */
export function responseFor(responses: readonly Response[], status: number): Response | undefined {
  const find = (key: string) => responses.find((response) => response.status === key);
  return find(String(status)) ?? find(`${Math.floor(status / 100)}XX`) ?? find('default');
}

export function isOpen({ security }: Operation): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}

export function hasScopes({ security }: Operation): boolean {
  return security.flat().some(({ scopes }) => scopes.length > 0);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
