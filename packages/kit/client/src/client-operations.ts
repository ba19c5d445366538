import { isDeepStrictEqual } from 'node:util';
import { credentialOf, DEFAULT_CREDENTIALS, essenceOf } from '@contract-kit/core/http';
import {
  bodyTypeOf,
  clientContentOf,
  fieldStylesOf,
  isInJson,
  isInt64Parameter,
  isOpen,
  partTypesOf,
  scalarTypeOf,
  successesOf,
  takesCookie,
  takesCookieKey,
  writtenStyleOf,
  type Described,
  type MediaType,
  type Model,
  type Operation,
  type Parameter,
  type RequestBody,
  type Schemas,
} from '@contract-kit/core/model';
import type { ClientContract, ClientOperation, KeyField } from './client-contract.ts';

const JSON_TYPE = 'application/json';

/* The operations of a model as the values that clients have: every page that calls the API includes them. */

/** By their ids. */
export function clientOperationsOf(model: Model): Record<string, ClientOperation> {
  const common = headerTypesOf(model);
  return Object.fromEntries(
    model.operations.map((operation) => [operation.id, clientOperationOf(model, operation, common)]),
  );
}

function clientOperationOf(
  model: Model,
  operation: Operation,
  common: Readonly<Record<string, string>>,
): ClientOperation {
  const { schemas } = model;
  const { method, path, parameters, responses, body } = operation;
  const named = (field: keyof ClientOperation, test: (parameter: Parameter) => boolean) => {
    const names = parameters.filter(test).map(({ name }) => name);
    return names.length > 0 && { [field]: names };
  };
  // RFC 9110 §9.3.2: a response to HEAD has no body.
  const isHead = method === 'HEAD';
  const bodies = successesOf(operation).map(
    (response) => [response.status, bodyTypeOf(operation, response, schemas)] as const,
  );
  const others = successesOf(operation)
    .flatMap(({ content }) => (isHead ? [] : clientContentOf(content, schemas)))
    .flatMap((media) => (media.kind === 'json' && !mayBeText(media, schemas) ? [] : media.type));
  const scalars = successesOf(operation).flatMap((response) => {
    const type = isHead ? undefined : scalarTypeOf(response, schemas);
    return type === undefined ? [] : [[response.status, type] as const];
  });
  const failures = responses.filter(({ status }) => !/^[23]/.test(status));
  // All or none: a status without its own entry would have that of `default`.
  const errorTypes = failures.flatMap(({ status, media }) => {
    if (!media) return [];
    const isOther = media.kind !== 'json' || mayBeText(media, schemas) || !media.type.includes('*');
    return [[status, isOther ? media.type : JSON_TYPE] as const];
  });
  return {
    method,
    path,
    ...named('int64', (item) => item.content === undefined && isInt64Parameter(item, schemas)),
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
    ...parameters
      .filter(({ name, input }) => name !== input)
      .reduce((_, { input }) => ({ bodyParameter: input }), {}),
    ...(body?.fields && { bodyFields: body.fields }),
    responseTypes: Object.fromEntries(bodies),
    ...(scalars.length > 0 && { scalars: Object.fromEntries(scalars) }),
    ...(!isHead && streamsOf(operation)),
    ...(others.length > 0 && { accept: [...new Set(['application/json', ...others])].join() }),
    ...(errorTypes.some(([, type]) => type !== JSON_TYPE) && { errorTypes: Object.fromEntries(errorTypes) }),
    ...typesOfHeaders(model, operation, common),
    ...jsonHeadersOf(operation),
    errors: Object.fromEntries(failures.map(({ status, media }) => [status, !isHead && media !== undefined])),
  };
}

/** Whether the values of a range that JSON is in may also be text. */
function mayBeText({ type, schema, isScalar }: MediaType, schemas: Schemas): boolean {
  const types = schemas.typesOf(schema);
  return type.includes('*') && (isScalar ?? (types.size === 0 || types.has('string')));
}

/** The media types that a file may have, as the body or in a form. */
function fileTypesOf(
  { schemas }: Model,
  { body }: Operation,
): Pick<ClientOperation, 'bodyTypes' | 'partTypes'> {
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
): Pick<ClientOperation, 'otherBodies'> {
  const content = clientContentOf(all, schemas);
  const types = schemas.typesOf(media.schema);
  const isJsonText = media.kind === 'json' && (types.size === 0 || types.has('string'));
  const others = (['text', 'bytes'] as const).flatMap((kind) => {
    const other = content.find((item) => item.kind === kind);
    return other && kind !== media.kind && !(kind === 'text' && isJsonText) ? [[kind, other.type]] : [];
  });
  return others.length > 0 ? { otherBodies: Object.fromEntries(others) as object } : {};
}

/** The styles of parameters other than scalars and repeated query parameters. */
function stylesOf(parameters: readonly Parameter[]): Pick<ClientOperation, 'styles'> {
  const styles = parameters.flatMap((parameter) => {
    const style = writtenStyleOf(parameter);
    return style ? [[parameter.name, style] as const] : [];
  });
  return styles.length > 0 ? { styles: Object.fromEntries(styles) } : {};
}

/** How a request outside the contract sends the key: as the first operation does, since most contracts have one way. */
export function fetchKeyOf(model: Model): NonNullable<ClientContract['fetchKey']> {
  const { operations } = model;
  const all = operations.map((operation) => credentialsOf(model, operation));
  const [first = {}] = all;
  return {
    ...first,
    ...(all.some(({ anonymous }) => anonymous) && { anonymous: true }),
    ...(all.some((item) => item.takesCookie) && { takesCookie: true }),
  };
}

/** How a key is sent: by the first alternative. Open operations get it too, so that requests count for the key. */
function credentialsOf(
  model: Model,
  operation: Operation,
): Pick<ClientOperation, 'anonymous' | 'keyed' | KeyField> {
  const [used = []] = operation.security.filter(({ length }) => length > 0);
  const [any] = [...model.schemes.values()].map(credentialOf);
  const all = used.length > 0 ? used.flatMap(({ credential }) => credential ?? []) : [any ?? []].flat();
  const namesIn = (place: string) => all.filter((item) => item.in === place).map(({ name }) => name);
  const [inQuery, inCookies] = [namesIn('query'), namesIn('cookie')];
  const inHeaders = all
    .filter((credential) => credential.in === 'header')
    .map(({ name, prefix }): [string, string] => [name, prefix]);
  return {
    ...((isOpen(operation) || takesCookieKey(operation, model)) && { anonymous: true }),
    ...(!isOpen(operation) && takesCookieKey(operation, model) && { keyed: true }),
    ...(!isDeepStrictEqual(inHeaders, Object.entries(DEFAULT_CREDENTIALS)) && {
      credentials: Object.fromEntries(inHeaders),
    }),
    ...(inQuery.length > 0 && { queryCredentials: inQuery }),
    ...(inCookies.length > 0 && { cookieCredentials: inCookies }),
    ...(takesCookie(operation, model) && { takesCookie: true }),
  };
}

/** All or none: a status without its own entry would have that of `default`. */
function streamsOf(operation: Operation): Pick<ClientOperation, 'streams'> {
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
function typesOfHeaders(
  { schemas }: Model,
  { responses }: Operation,
  common: Readonly<Record<string, string>>,
): Pick<ClientOperation, 'headerTypes'> {
  const own = responses.map(({ status, headers }) => {
    const types = headers.map((header) => [header.name, headerTypeOf(header, schemas)] as const);
    return [status, Object.fromEntries(types.filter(([name, type]) => common[name] !== type))] as const;
  });
  const hasOther = own.some(([, types]) => Object.keys(types).length > 0);
  return hasOther ? { headerTypes: Object.fromEntries(own) } : {};
}

function jsonHeadersOf({ responses }: Operation): Pick<ClientOperation, 'jsonHeaders'> {
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
