import { isDeepStrictEqual } from 'node:util';
import type { Deprecation, Operation as OperationValue } from '../contract.ts';
import { credentialOf, DEFAULT_CREDENTIALS } from '../credential.ts';
import { essenceOf, isJson } from '../media-type.ts';
import {
  clientContentOf,
  fieldStylesOf,
  isInJson,
  isOpen,
  isPlain,
  partTypesOf,
  successesOf,
  type Described,
  type MediaType,
  type Model,
  type Operation,
  type Parameter,
  type RequestBody,
  type Response,
  type Schemas,
} from '../model/model.ts';
import type { SourceDocument, Json } from './source-document.ts';
import { serverAddress, serverName } from './operations.ts';

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
    .flatMap(({ content }) => (isHead ? [] : clientContentOf(content, schemas)))
    .flatMap(({ kind, type }) => (kind === 'json' ? [] : type));
  // All or none: a status without its own entry would have that of `default`.
  const several = responses.map(({ status, content, media }) => [
    status,
    content.flatMap((other) => (other === media ? [] : other.type)),
  ]);
  const types = responses.flatMap(({ status, media: { type = '' } = {} }) => {
    if (isJson(type)) return [[status, type.includes('*') ? JSON_TYPE : type]];
    return type && (isHead || !/^[23]/.test(status)) ? [[status, type]] : [];
  });
  const isOther = types.some(([, type]) => type !== JSON_TYPE);
  const failures = responses.filter(({ status }) => !/^[23]/.test(status));
  const bodiless = isHead ? [] : failures.filter(({ media }) => !media);
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
    ...fileTypesOf(model, operation),
    ...(body && otherBodiesOf(body, schemas)),
    ...(body &&
      Object.keys(fieldStylesOf(body.media)).length > 0 && { fieldStyles: fieldStylesOf(body.media) }),
    ...(body?.limit !== undefined && { bodyLimit: body.limit }),
    ...parameters
      .filter(({ name, input }) => name !== input)
      .reduce((_, { input }) => ({ bodyParameter: input }), {}),
    ...(body?.fields && { bodyFields: body.fields }),
    responseTypes: Object.fromEntries(bodies),
    ...(!isHead && streamsOf(operation)),
    ...(others.length > 0 && { accept: [...new Set(['application/json', ...others])].join() }),
    ...(several.some(([, types]) => types && types.length > 0) && {
      otherTypes: Object.fromEntries(several),
    }),
    ...(isOther && { jsonTypes: Object.fromEntries(types) }),
    ...ownHeaderTypes(model, operation, common),
    ...jsonHeadersOf(operation),
    errors: failures.map(statusOf),
    ...(bodiless.length > 0 && { bodilessErrors: bodiless.map(statusOf) }),
  };
}

/** The media types that a file may have, as the body or in a form. */
function fileTypesOf(
  { schemas }: Model,
  { body }: Operation,
): Pick<OperationValue, 'bodyTypes' | 'partTypes'> {
  if (!body) return {};
  const { media } = body;
  const content = clientContentOf(body.content, schemas);
  const isOfMany = content.length > 1 || media.type.includes('*');
  const fields = schemas.possibleFieldsOf(media.kind === 'form' ? media.schema : undefined);
  const isFile = (field: unknown) => schemas.isBinary(field) || schemas.isBinary(schemas.itemsOf(field));
  const parts = Object.entries(partTypesOf(media)).filter(([name]) => isFile(fields[name]));
  return {
    ...(isOfMany &&
      content.some(({ kind }) => kind === 'bytes') && { bodyTypes: content.map(({ type }) => type) }),
    ...(parts.length > 0 && {
      partTypes: Object.fromEntries(parts.map(([name, [type = '']]) => [name, type])),
    }),
  };
}

/** A text is sent as JSON if that may be a text. */
function otherBodiesOf(
  { content: all, media }: RequestBody,
  schemas: Schemas,
): Pick<OperationValue, 'otherBodies'> {
  const content = clientContentOf(all, schemas);
  const types = schemas.typesOf(media.schema);
  const isJsonText = media.kind === 'json' && (types.size === 0 || types.has('string'));
  const others = (['text', 'bytes'] as const).flatMap((kind) => {
    const other = content.find((item) => item.kind === kind);
    return other && kind !== media.kind && !(kind === 'text' && isJsonText) ? [[kind, other.type]] : [];
  });
  return others.length > 0 ? { otherBodies: Object.fromEntries(others) as object } : {};
}

function statusOf({ status }: Response): number | string {
  return /^\d+$/.test(status) ? Number(status) : status;
}

/** The styles of parameters other than scalars and repeated query parameters. */
function stylesOf(parameters: readonly Parameter[]): Pick<OperationValue, 'styles'> {
  const styles = parameters
    .filter(
      (parameter) => !isPlain(parameter) || (parameter.schema['type'] === 'array' && !parameter.explode),
    )
    .map(({ name, in: place, style, content, explode }) => {
      const written = content === undefined ? style : 'json';
      return [
        name,
        { style: written, explode: explode && (place !== 'cookie' || style === 'cookie') },
      ] as const;
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
    ...(!isDeepStrictEqual(inHeaders, Object.entries(DEFAULT_CREDENTIALS)) && {
      credentials: Object.fromEntries(inHeaders),
    }),
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

/** All or none: a status without its own entry would have that of `default`. */
function streamsOf(operation: Operation): Pick<OperationValue, 'streams'> {
  const all = successesOf(operation).map(({ status, content }) => {
    const forms = content.flatMap(({ type, form }) => (form ? [[essenceOf(type), form] as const] : []));
    return [status, Object.fromEntries(forms)] as const;
  });
  const hasSome = all.some(([, forms]) => Object.keys(forms).length > 0);
  return hasSome ? { streams: Object.fromEntries(all) } : {};
}

/** The JSON type of each response header: of the first response that has one of its name. */
export function headerTypesOf({ operations, schemas }: Model): Record<string, string> {
  const types = new Map<string, string>();
  for (const header of operations.flatMap(({ responses }) => responses).flatMap(({ headers }) => headers))
    if (!types.has(header.name)) types.set(header.name, headerTypeOf(header, schemas));
  return Object.fromEntries(types);
}

/** The JSON types of an operation's headers that differ from those, by status. */
function ownHeaderTypes(
  { schemas }: Model,
  { responses }: Operation,
  common: Readonly<Record<string, string>>,
): Pick<OperationValue, 'headerTypes'> {
  const own = responses.map(({ status, headers }) => {
    const types = headers.map((header) => [header.name, headerTypeOf(header, schemas)] as const);
    return [status, Object.fromEntries(types.filter(([name, type]) => common[name] !== type))] as const;
  });
  const hasOther = own.some(([, types]) => Object.keys(types).length > 0);
  return hasOther ? { headerTypes: Object.fromEntries(own) } : {};
}

function jsonHeadersOf({ responses }: Operation): Pick<OperationValue, 'jsonHeaders'> {
  const all = responses.flatMap(({ status, headers }) => {
    const names = headers.filter(isInJson).map(({ name }) => name);
    return names.length > 0 ? [[status, names] as const] : [];
  });
  return all.length > 0 ? { jsonHeaders: Object.fromEntries(all) } : {};
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
    serverAddress(server),
  ]);
  const isOther = ([name]: [string, string]) => Number(name !== 'production');
  return Object.fromEntries(named.toSorted((a, b) => isOther(a) - isOther(b)));
}
