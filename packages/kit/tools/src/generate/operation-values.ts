import type { Deprecation, Operation as OperationValue } from '@kit/contract';
import { isPlainParameter } from '@kit/contract/described-operation';
import { isJson, preferred } from '@kit/contract/media-type';
import type { SourceDocument, Json } from '../source-document.ts';
import { addressOf, isOpen, serverName, successesOf, type Operation, type Parameter } from '../operations.ts';
import { requestBodyOf } from '../request-body.ts';

const JSON_TYPE = 'application/json';

/** An operation as a small value: every page that calls the API includes it. */
export function operationValueOf(contract: SourceDocument, operation: Operation): OperationValue {
  const { method, path, parameters, responses } = operation;
  const body = requestBodyOf(contract, operation);
  const named = (field: keyof OperationValue, test: (parameter: Parameter) => boolean) => {
    const names = parameters.filter(test).map(({ name }) => name);
    return names.length > 0 && { [field]: names };
  };
  const bodies = successesOf(operation).map(({ status, definition: response }) => [
    status,
    bodyOf(contract, response),
  ]);
  const others = bodies.flatMap(([, type = '']) => (type.includes('/') ? type : []));
  const types = responses.flatMap(({ status, definition: response }) => {
    const [type = ''] = preferred(response.content) ?? [];
    if (isJson(type)) return [[status, type.includes('*') ? JSON_TYPE : type]];
    return type && !/^[23]/.test(status) ? [[status, type]] : [];
  });
  const isOther = types.some(([, type]) => type !== JSON_TYPE);
  return {
    method: method.toUpperCase(),
    path,
    ...named('int64', ({ schema }) => (schema.items ?? schema).format === 'int64'),
    ...named('query', (item) => item.in === 'query'),
    ...named('nullable', ({ schema }) => isNullable(contract, schema)),
    ...stylesOf(parameters),
    ...named('cookies', (item) => item.in === 'cookie'),
    ...named('headers', (item) => item.in === 'header'),
    ...credentialsOf(contract, operation),
    ...(body && { body: body.isFlat ? 'fields' : body.isRequired ? 'required' : 'optional' }),
    ...(body && !/^(application\/json|\*\/\*)$/.test(body.mediaType) && { bodyType: body.mediaType }),
    ...(body?.limit !== undefined && { bodyLimit: body.limit }),
    ...(body?.isFlat && { bodyFields: fieldsOf(contract, body.schema) }),
    responseTypes: Object.fromEntries(bodies),
    ...(others.length > 0 && { accept: ['application/json', ...others].join() }),
    ...(isOther && { jsonTypes: Object.fromEntries(types) }),
    errors: responses
      .filter(({ status }) => !/^[23]/.test(status))
      .map(({ status }) => (/^\d+$/.test(status) ? Number(status) : status)),
  };
}

function isNullable(contract: SourceDocument, { type, anyOf = [], oneOf = [] }: Json): boolean {
  const branches = [...anyOf, ...oneOf].map((branch: Json) => contract.resolve(branch)?.type);
  return [type, ...branches].flat().includes('null');
}

/** The styles of parameters other than scalars and repeated query parameters. */
function stylesOf(parameters: readonly Parameter[]): Pick<OperationValue, 'styles'> {
  const styles = parameters
    .filter(
      (parameter) =>
        !isPlainParameter(parameter) || (parameter.schema.type === 'array' && !parameter.explode),
    )
    .map(({ name, in: place, style, content, explode }) => {
      const defaultStyle = place === 'path' || place === 'header' ? 'simple' : 'form';
      const written = content === undefined ? (style ?? defaultStyle) : 'json';
      return [name, { style: written, explode: explode && place !== 'cookie' }] as const;
    });
  return styles.length > 0 ? { styles: Object.fromEntries(styles) } : {};
}

function fieldsOf(contract: SourceDocument, schema: Json): string[] {
  const properties = Object.entries<Json>(contract.resolve(schema).properties);
  return properties.filter(([, value]) => value.readOnly !== true).map(([name]) => name);
}

/** How a request outside the contract sends the key: as the first operation does, since most contracts have one way. */
export function fetchKeyOf(
  contract: SourceDocument,
  operations: readonly Operation[],
): ReturnType<typeof credentialsOf> {
  const [first = {}] = operations.map((operation) => credentialsOf(contract, operation));
  return { ...first, ...(operations.some(isOpen) && { anonymous: true }) };
}

/** How a key is sent: by the first alternative. Open operations get it too, so that requests count for the key. */
function credentialsOf(
  { document }: SourceDocument,
  operation: Operation,
): Pick<OperationValue, 'anonymous' | 'credentials' | 'queryCredentials'> {
  const schemes: Record<string, Json> = document.components?.securitySchemes ?? {};
  const [names = Object.keys(schemes).slice(0, 1)] = operation.security.filter(({ length }) => length > 0);
  const inQuery = names.filter((name) => schemes[name].type === 'apiKey' && schemes[name].in === 'query');
  const credentials = names
    .filter((name) => !inQuery.includes(name))
    .map((name): [string, string] => {
      const { type, scheme, name: header } = schemes[name];
      if (type === 'apiKey') return [header, ''];
      return ['Authorization', String(scheme).toLowerCase() === 'basic' ? 'Basic' : 'Bearer'];
    });
  return {
    ...(isOpen(operation) && { anonymous: true }),
    ...(String(credentials) !== 'Authorization,Bearer' && { credentials: Object.fromEntries(credentials) }),
    ...(inQuery.length > 0 && { queryCredentials: inQuery.map((name) => schemes[name].name) }),
  };
}

export function deprecationsOf(operations: readonly Operation[]): Record<string, Deprecation> {
  const deprecated = operations.filter(
    ({ definition }) => definition.deprecated && definition['x-deprecated-since'],
  );
  return Object.fromEntries(
    deprecated.map(({ id, definition }) => [
      id,
      { since: definition['x-deprecated-since'], sunset: definition['x-deprecated-sunset'] },
    ]),
  );
}

/** The entry of a response in `Operation.responseTypes`. */
function bodyOf(contract: SourceDocument, definition: Json): string {
  const [mediaType, media] = preferred<Json>(definition.content) ?? [];
  if (mediaType === undefined) return 'none';
  if (!isJson(mediaType)) return mediaType;
  const { type } = contract.resolve(media.schema) ?? {};
  return type === 'integer' ? 'number' : typeof type === 'string' && type !== 'null' ? type : 'any';
}

export function headerTypesOf(
  contract: SourceDocument,
  operations: readonly Operation[],
): Record<string, string> {
  const headers = operations
    .flatMap(({ responses }) => responses)
    .flatMap(({ definition }) => Object.entries<Json>(definition.headers ?? {}));
  return Object.fromEntries(
    headers.map(([name, header]) => {
      const type: unknown = contract.resolve(contract.resolve(header).schema)?.type;
      return [name, typeof type === 'string' ? type : 'string'];
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
