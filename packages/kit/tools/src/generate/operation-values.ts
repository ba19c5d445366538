import type { Deprecation, Operation as OperationValue } from '@kit/contract';
import { credentialOf } from '@kit/contract/credential';
import { isJson } from '@kit/contract/media-type';
import {
  isOpen,
  isPlain,
  successesOf,
  type MediaType,
  type Model,
  type Operation,
  type Parameter,
} from '@kit/contract/model';
import type { SourceDocument, Json } from '../source-document.ts';
import { addressOf, serverName } from '../operations.ts';

const JSON_TYPE = 'application/json';

/** An operation as a small value: every page that calls the API includes it. */
export function operationValueOf(model: Model, operation: Operation): OperationValue {
  const { schemas } = model;
  const { method, path, parameters, responses, body } = operation;
  const named = (field: keyof OperationValue, test: (parameter: Parameter) => boolean) => {
    const names = parameters.filter(test).map(({ name }) => name);
    return names.length > 0 && { [field]: names };
  };
  // RFC 9110 §9.3.2: a response to HEAD has no body.
  const bodies = successesOf(operation).map(({ status, media }) => [
    status,
    bodyTypeOf(model, method === 'HEAD' ? undefined : media),
  ]);
  const others = bodies.flatMap(([, type = '']) => (type.includes('/') ? type : []));
  const types = responses.flatMap(({ status, media: { type = '' } = {} }) => {
    if (isJson(type)) return [[status, type.includes('*') ? JSON_TYPE : type]];
    return type && !/^[23]/.test(status) ? [[status, type]] : [];
  });
  const isOther = types.some(([, type]) => type !== JSON_TYPE);
  return {
    method,
    path,
    ...named('int64', ({ schema }) => schemas.whole(schema['items'] ?? schema)['format'] === 'int64'),
    ...named('query', (item) => item.in === 'query'),
    ...named('nullable', ({ schema }) => schemas.typesOf(schema).has('null')),
    ...stylesOf(parameters),
    ...named('cookies', (item) => item.in === 'cookie'),
    ...named('headers', (item) => item.in === 'header'),
    ...credentialsOf(model, operation),
    ...(body && { body: body.fields ? 'fields' : body.required ? 'required' : 'optional' }),
    ...(body && !/^(application\/json|\*\/\*)$/.test(body.sentType) && { bodyType: body.sentType }),
    ...(body?.limit !== undefined && { bodyLimit: body.limit }),
    ...(body?.fields && { bodyFields: body.fields }),
    responseTypes: Object.fromEntries(bodies),
    ...(others.length > 0 && { accept: ['application/json', ...others].join() }),
    ...(isOther && { jsonTypes: Object.fromEntries(types) }),
    errors: responses
      .filter(({ status }) => !/^[23]/.test(status))
      .map(({ status }) => (/^\d+$/.test(status) ? Number(status) : status)),
  };
}

/** The styles of parameters other than scalars and repeated query parameters. */
function stylesOf(parameters: readonly Parameter[]): Pick<OperationValue, 'styles'> {
  const styles = parameters
    .filter(
      (parameter) => !isPlain(parameter) || (parameter.schema['type'] === 'array' && !parameter.explode),
    )
    .map(({ name, in: place, style, content, explode }) => {
      const written = content === undefined ? style : 'json';
      return [name, { style: written, explode: explode && place !== 'cookie' }] as const;
    });
  return styles.length > 0 ? { styles: Object.fromEntries(styles) } : {};
}

/** How a request outside the contract sends the key: as the first operation does, since most contracts have one way. */
export function fetchKeyOf(model: Model): ReturnType<typeof credentialsOf> {
  const { operations } = model;
  const [first = {}] = operations.map((operation) => credentialsOf(model, operation));
  return { ...first, ...(operations.some(isOpen) && { anonymous: true }) };
}

/** How a key is sent: by the first alternative. Open operations get it too, so that requests count for the key. */
function credentialsOf(
  { schemes }: Model,
  operation: Operation,
): Pick<OperationValue, 'anonymous' | 'credentials' | 'queryCredentials'> {
  const [used = []] = operation.security.filter(({ length }) => length > 0);
  const [any] = [...schemes.values()].map(credentialOf);
  const all = used.length > 0 ? used.flatMap(({ credential }) => credential ?? []) : [any ?? []].flat();
  const inQuery = all.filter((credential) => credential.in === 'query').map(({ name }) => name);
  const inHeaders = all
    .filter((credential) => credential.in === 'header')
    .map(({ name, prefix }): [string, string] => [name, prefix]);
  return {
    ...(isOpen(operation) && { anonymous: true }),
    ...(String(inHeaders) !== 'Authorization,Bearer' && { credentials: Object.fromEntries(inHeaders) }),
    ...(inQuery.length > 0 && { queryCredentials: inQuery }),
  };
}

/** The entry of a response in `Operation.responseTypes`. */
function bodyTypeOf({ schemas }: Model, media: MediaType | undefined): string {
  if (!media) return 'none';
  if (media.kind !== 'json') return media.type;
  const [type = 'any', ...others] = schemas.typesOf(media.schema);
  return others.length > 0 || type === 'null' ? 'any' : type === 'integer' ? 'number' : type;
}

/** The JSON type of every response header; text if a name has several. */
export function headerTypesOf({ operations, schemas }: Model): Record<string, string> {
  const headers = operations
    .flatMap(({ responses }) => responses)
    .flatMap((response) => response.headers)
    .map(
      ({ name, schema }) => [name, [...schemas.typesOf(schema)].filter((type) => type !== 'null')] as const,
    );
  const types: Record<string, string> = {};
  for (const [name, all] of headers) {
    const type = all.length === 1 ? (all[0] as string) : 'string';
    types[name] = (types[name] ?? type) === type ? type : 'string';
  }
  return types;
}

export function deprecationsOf(operations: readonly Operation[]): Record<string, Deprecation> {
  return Object.fromEntries(
    operations.flatMap(({ id, definition }) => {
      const { deprecated, 'x-deprecated-since': since, 'x-deprecated-sunset': sunset } = definition;
      return deprecated && since ? [[id, { since, ...(sunset !== undefined && { sunset }) }]] : [];
    }),
  );
}

/** The servers by name, production first. */
export function serversOf(contract: SourceDocument): Record<string, string> {
  const servers: Json[] = contract.document.servers;
  const named = servers.map((server, index): [string, string] => [
    serverName(server) || `server${index + 1}`,
    addressOf(server),
  ]);
  const isOther = ([name]: [string, string]) => Number(name !== 'production');
  return Object.fromEntries(named.toSorted((a, b) => isOther(a) - isOther(b)));
}
