import type { Deprecation } from '../contract/index.ts';
import { credentialOf, type SecurityScheme, idempotencyKeyOf } from '../http/index.ts';
import { isObject, type JsonObject } from '../json/index.ts';
import { requestBodyOf, responseOf } from './content.ts';
import { objectAt, parameterOf, withShared } from './described.ts';
import { createNamer } from './names.ts';
import { resolveIn } from './references.ts';
import { readSchemas, type Schemas } from './schemas.ts';
import type { Operation, OperationObject, Parameter, Pointer, Requirement, Response } from './types.ts';

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
}

/** The model of a document as it is now. Generation has checked its shape. */
export function readModel(given: JsonObject, schemas: Schemas = readSchemas(given)): Model {
  const { document } = schemas;
  const schemes = schemesIn(document);
  const newName = createNamer();
  const operations = Object.entries(objectAt(document, 'paths')).flatMap(([path, value]) => {
    const item = schemas.resolve(value);
    return methodsOf(item).map((name): Operation => {
      const definition = item[name] as OperationObject;
      const pointer = ['paths', path, name];
      const parametersAt = (of: JsonObject, place: Pointer) =>
        list(of['parameters']).map((entry, index) =>
          parameterOf(entry, [...place, 'parameters', index], schemas),
        );
      const security = securityOf(definition['security'] ?? document['security'], schemes);
      const all = withShared(
        parametersAt(item, pointer.slice(0, 2)),
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
      const responses = Object.entries(objectAt(definition, 'responses')).filter(
        ([status]) => !status.startsWith('x-'),
      );
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
    });
  });
  return {
    document,
    schemas,
    operations,
    operationOf: new Map(operations.map((operation) => [operation.id, operation])),
    schemes,
    errorCodes: errorCodesIn(document),
    hasPlans: Object.keys(objectAt(document, 'x-rate-limit-plans')).length > 0,
  };
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
