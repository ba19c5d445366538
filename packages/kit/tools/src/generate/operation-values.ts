import type { Deprecation, Operation as OperationValue } from '@kit/contract';
import type { SourceDocument, Json } from '../source-document.ts';
import { isOpen, serverName, type Operation, type Parameter } from '../operations.ts';
import { requestBodyOf } from '../request-body.ts';

/** An operation as a value, and no more: each byte of it is in every page that calls the API. */
export function operationValueOf(contract: SourceDocument, operation: Operation): OperationValue {
  const { method, path, parameters, responses } = operation;
  const body = requestBodyOf(contract, operation);
  const named = (field: keyof OperationValue, test: (parameter: Parameter) => boolean) => {
    const names = parameters.filter(test).map(({ name }) => name);
    return names.length > 0 && { [field]: names };
  };
  const successes = responses.filter(({ status }) => status < '400');
  const bodies = successes.map(({ status, definition: response }) => [status, bodyOf(contract, response)]);
  const others = bodies.flatMap(([, type = '']) => (type.includes('/') ? type : []));
  return {
    method: method.toUpperCase(),
    path,
    ...named('int64', ({ schema }) => (schema.items ?? schema).format === 'int64'),
    ...named('query', (each) => each.in === 'query'),
    ...named('commaSeparated', ({ schema, explode }) => schema.type === 'array' && !explode),
    ...named('nullable', ({ schema }) => [schema.type].flat().includes('null')),
    ...named('headers', (each) => each.in === 'header'),
    ...credentialsOf(contract, operation),
    ...(body && { body: body.isFlat ? 'fields' : body.isRequired ? 'required' : 'optional' }),
    ...(body?.isFlat && { bodyFields: fieldsOf(contract, body.schema) }),
    responseTypes: Object.fromEntries(bodies),
    ...(others.length > 0 && { accept: ['application/json', ...others].join() }),
    errors: responses.filter((response) => !successes.includes(response)).map(({ status }) => Number(status)),
  };
}

/** The fields that a request may have. */
function fieldsOf(contract: SourceDocument, schema: Json): string[] {
  const properties = Object.entries<Json>(contract.resolve(schema).properties);
  return properties.filter(([, each]) => each.readOnly !== true).map(([name]) => name);
}

/** How a key is sent: by the first alternative; to what is open to everyone too, so that the request counts for the key. */
function credentialsOf(
  { document }: SourceDocument,
  operation: Operation,
): Pick<OperationValue, 'anonymous' | 'credentials'> {
  const schemes: Record<string, Json> = document.components?.securitySchemes ?? {};
  const [names = Object.keys(schemes).slice(0, 1)] = operation.security.filter(({ length }) => length > 0);
  const credentials = names.map((name): [string, string] => {
    const { type, scheme, name: header } = schemes[name];
    if (type === 'apiKey') return [header, ''];
    return ['Authorization', scheme.toLowerCase() === 'basic' ? 'Basic' : 'Bearer'];
  });
  return {
    ...(isOpen(operation) && { anonymous: true }),
    ...(String(credentials) !== 'Authorization,Bearer' && { credentials: Object.fromEntries(credentials) }),
  };
}

/** The deprecated ones of `operations`, by id. */
export function deprecationsOf(operations: readonly Operation[]): Record<string, Deprecation> {
  const deprecated = operations.filter(({ definition }) => definition.deprecated);
  return Object.fromEntries(
    deprecated.map(({ id, definition }) => [
      id,
      { since: definition['x-deprecated-since'], sunset: definition['x-deprecated-sunset'] },
    ]),
  );
}

/** What `Operation.responseTypes` says of a response. */
function bodyOf(contract: SourceDocument, definition: Json): string {
  const [[mediaType, media] = []] = Object.entries<Json>(definition.content ?? {});
  if (!mediaType) return 'none';
  if (mediaType !== 'application/json') return mediaType;
  const { type } = contract.resolve(media.schema) ?? {};
  return type === 'integer' ? 'number' : typeof type === 'string' && type !== 'null' ? type : 'any';
}

/** The type of every header that some response declares, by name. */
export function headerTypesOf(
  contract: SourceDocument,
  operations: readonly Operation[],
): Record<string, string> {
  const headers = operations
    .flatMap(({ responses }) => responses)
    .flatMap(({ definition }) => Object.entries<Json>(definition.headers ?? {}));
  return Object.fromEntries(
    headers.map(([name, header]) => {
      return [name, contract.resolve(contract.resolve(header).schema)?.type ?? 'string'];
    }),
  );
}

/** The servers by name. */
export function serversOf(contract: SourceDocument): Record<string, string> {
  const servers: Json[] = contract.document.servers;
  return Object.fromEntries(servers.map((server) => [serverName(server), server.url]));
}
