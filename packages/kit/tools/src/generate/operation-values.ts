import type { Deprecation, Operation as OperationValue } from '@kit/contract';
import { credentialOf } from '@kit/contract/credential';
import { isJson } from '@kit/contract/media-type';
import {
  fieldStylesOf,
  isOpen,
  isPlain,
  successesOf,
  type Described,
  type MediaType,
  type Model,
  type Operation,
  type Parameter,
  type Schemas,
} from '@kit/contract/model';
import type { SourceDocument, Json } from '../source-document.ts';
import { addressOf, serverName } from '../operations.ts';

const JSON_TYPE = 'application/json';

/** The operations as small values: every page that calls the API includes them. */
export function operationValuesOf(model: Model): Record<string, OperationValue> {
  const common = headerTypesOf(model);
  return Object.fromEntries(
    model.operations.map((operation) => [operation.id, operationValueOf(model, operation, common)]),
  );
}

function operationValueOf(
  model: Model,
  operation: Operation,
  common: Readonly<Record<string, string>>,
): OperationValue {
  const { schemas } = model;
  const { method, path, parameters, responses, body } = operation;
  const named = (field: keyof OperationValue, test: (parameter: Parameter) => boolean) => {
    const names = parameters.filter(test).map(({ name }) => name);
    return names.length > 0 && { [field]: names };
  };
  // RFC 9110 §9.3.2: a response to HEAD has no body.
  const isHead = method === 'HEAD';
  const bodies = successesOf(operation).map(({ status, media, content }) => [
    status,
    bodyTypeOf(model, isHead ? undefined : media, content),
  ]);
  const others = successesOf(operation)
    .flatMap(({ content }) => (isHead ? [] : content))
    .flatMap(({ kind, type }) => (kind === 'json' ? [] : type));
  const several = responses
    .filter(({ content }) => content.length > 1)
    .map(({ status, content, media }) => [
      status,
      content.flatMap((other) => (other === media ? [] : other.type)),
    ]);
  const types = responses.flatMap(({ status, media: { type = '' } = {} }) => {
    if (isJson(type)) return [[status, type.includes('*') ? JSON_TYPE : type]];
    return type && (isHead || !/^[23]/.test(status)) ? [[status, type]] : [];
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
    ...(body &&
      Object.keys(fieldStylesOf(body.media)).length > 0 && { fieldStyles: fieldStylesOf(body.media) }),
    ...(body?.limit !== undefined && { bodyLimit: body.limit }),
    ...parameters
      .filter(({ name, input }) => name !== input)
      .reduce((_, { input }) => ({ bodyParameter: input }), {}),
    ...(body?.fields && { bodyFields: body.fields }),
    responseTypes: Object.fromEntries(bodies),
    ...(others.length > 0 && { accept: [...new Set(['application/json', ...others])].join() }),
    ...(several.length > 0 && { otherTypes: Object.fromEntries(several) }),
    ...(isOther && { jsonTypes: Object.fromEntries(types) }),
    ...ownHeaderTypes(model, operation, common),
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
function bodyTypeOf(
  { schemas }: Model,
  media: MediaType | undefined,
  content: readonly MediaType[] = [],
): string {
  if (!media) return 'none';
  if (media.kind !== 'json') return media.type;
  const json = content.filter(({ kind }) => kind === 'json');
  const each = json.flatMap(({ schema }) => {
    const types = [...schemas.typesOf(schema)];
    return types.length > 0 ? types : ['any'];
  });
  const [type = 'any', ...others] = new Set(each);
  return others.length > 0 || type === 'null' ? 'any' : type === 'integer' ? 'number' : type;
}

/** The JSON type of each response header: of the first response that has one of its name. */
export function headerTypesOf({ operations, schemas }: Model): Record<string, string> {
  const types: Record<string, string> = {};
  for (const header of operations.flatMap(({ responses }) => responses).flatMap(({ headers }) => headers))
    types[header.name] ??= headerTypeOf(header, schemas);
  return types;
}

/** The JSON types of an operation's headers that differ from those, by status. */
function ownHeaderTypes(
  { schemas }: Model,
  { responses }: Operation,
  common: Readonly<Record<string, string>>,
): Pick<OperationValue, 'headerTypes'> {
  const own = responses.flatMap(({ status, headers }) => {
    const types = headers.map((header) => [header.name, headerTypeOf(header, schemas)] as const);
    const other = types.filter(([name, type]) => common[name] !== type);
    return other.length > 0 ? [[status, Object.fromEntries(other)] as const] : [];
  });
  return own.length > 0 ? { headerTypes: Object.fromEntries(own) } : {};
}

/** The type of a header, such as `integer` or `array number`; one of several types, or of JSON, is text. */
function headerTypeOf({ content, schema }: Described, schemas: Schemas): string {
  const [type = 'string', ...others] = [...schemas.typesOf(schema)].filter((item) => item !== 'null');
  if (content !== undefined || others.length > 0 || type === 'object') return 'string';
  if (type !== 'array') return type;
  const [item = 'string', ...more] = schemas.typesOf(schemas.itemsOf(schema));
  return `array ${more.length > 0 ? 'string' : item}`;
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
