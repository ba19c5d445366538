import {
  eitherOf,
  follow,
  isScalarText,
  mentionsReference,
  methodsOf,
  objectAt,
  parameterKey,
  parameterOf,
  referenceIn,
  withExtensions,
  withProperties,
  type MediaType,
  type Operation,
  type Parameter,
  type Schemas,
  type View,
} from '@contract-kit/core/model';
import { isObject } from '@contract-kit/core/json';
import { isJson, isText } from '@contract-kit/core/http';
import { isData, inlinedDocument, walk, type Json, type SourceDocument } from '@contract-kit/core/openapi';
import { forCompiler, optional, withDistinctNames } from './compiler-schema.ts';
import { createViews, type Views } from './types-views.ts';

/** Placeholder for the bytes of a body: within JSON, binary is an ordinary string. */
export const BYTES = 'bytes of a body';

/** Placeholder for the bytes of a body as callers send them. */
export const SENT_BYTES = 'bytes to send';

/** Placeholder for the bytes of a body as handlers receive them. */
export const RECEIVED_BYTES = 'bytes received';

/** Begins the path of an operation whose method openapi-typescript does not know, and its types do not list. */
export const QUERY = 'QUERY ';

/** Placeholder for int64 in a parameter: text carries all 64 bits, JSON numbers only 2^53. */
export const EXACT = 'int64 as text';

/** Placeholder for a media type: the body that the handler receives. */
export const RECEIVED = 'received';

/** What the steps of `forTypes` share. */
interface Typing {
  readonly contract: SourceDocument;
  readonly schemas: Schemas;
  readonly views: Views;
  /** The document of the types, which the steps change. */
  readonly document: Json;
  /** The operations in it. */
  readonly definitions: readonly Json[];
}

/**
 * The document as the generated types need it: with the description of each header next to its references; the schemas
 * of parameters written out, whose int64 are of another type than those of bodies; and each schema as it holds in a
 * response, with more types (`Book.sent`, `Book.received`) if it differs in a request.
 */
export function forTypes(contract: SourceDocument): Json {
  const { operations, schemas, document: plain } = contract.model;
  const components: Json = { ...objectAt(plain, 'components') };
  const written: Record<string, Json> = Object.fromEntries(
    Object.entries<Json>(components.schemas ?? {}).map(([name, schema]) => [
      name,
      referenceIn(schema) === undefined ? withExtensions(schema, schemas) : schema,
    ]),
  );
  const views = createViews(schemas, written);
  const document: Json = JSON.parse(JSON.stringify(inlinedDocument(contract)));
  for (const section of ['responses', 'parameters', 'headers'])
    if (components[section])
      document.components[section] = structuredClone(withoutAliases(contract, section));
  const items = Object.values<Json>(document.paths);
  const definitions = items.flatMap((item) => methodsOf(item).map((method) => item[method]));
  const typing: Typing = { contract, schemas, views, document, definitions };
  const listed = [...items, ...definitions].flatMap((item) => item.parameters ?? []);
  for (const parameter of [...listed, ...Object.values<Json>(document.components.parameters ?? {})])
    if (!referenceIn(parameter)) writeOutParameter(typing, parameter);
  for (const responses of [
    document.components.responses ?? {},
    ...definitions.map((operation) => operation.responses),
  ])
    for (const response of Object.values<Json>(responses)) typeResponse(typing, response);
  for (const header of Object.values<Json>(document.components.headers ?? {})) {
    asValue(header);
    if (header.schema) header.schema = forCompiler(header.schema, schemas);
  }
  for (const definition of definitions) delete definition.callbacks;
  for (const operation of operations) typeOperation(typing, operation);
  for (const name in written) document.components.schemas[name] = views.inView('response', written[name]);
  Object.assign(document.components.schemas ?? {}, views.viewed);
  takeOutUntyped(document);
  takeOutData(document);
  moveQueries(document);
  return document;
}

function writeOutParameter({ schemas }: Typing, parameter: Json): void {
  const { content, written } = parameterOf(parameter, [], schemas);
  const { items, ...outer } = withExtensions(written, schemas);
  const whole = isObject(items) ? { ...outer, items: withExtensions(items, schemas) } : { ...outer, items };
  const schema: Json = structuredClone(items === undefined ? outer : whole);
  for (const item of content ? [] : [schema, schema.items]) if (item?.format === 'int64') item.format = EXACT;
  delete parameter.content;
  const plain = forCompiler(schema, schemas);
  parameter.schema = parameter.required === true ? plain : optional(parameter.name, plain);
}

function typeResponse(typing: Typing, response: Json): void {
  const { schemas, views } = typing;
  const { headers = {}, content = {} } = response;
  delete response.links;
  for (const name of Object.keys(headers)) typeHeader(typing, headers, name);
  if (response.headers) response.headers = withDistinctNames(headers);
  // Without examples: openapi-typescript would search them for schemas.
  for (const type in content) {
    const { schema } = content[type];
    const plain = isText(type) ? textSchema(schemas, type, schema) : { type: 'string', format: BYTES };
    const isBytes = type.includes('*') && schemas.isBinary(schema);
    content[type] = { schema: views.inView('response', isJson(type) && !isBytes ? schema : plain) };
  }
}

function typeHeader({ contract }: Typing, headers: Json, name: string): void {
  const header = headers[name];
  const described = contract.resolve(header);
  if (referenceIn(header)) header.description ??= described.description;
  // A reference would be the type of a header that is required.
  if (described.required !== true) headers[name] = { ...described, description: header.description };
  asValue(headers[name]);
  if (described.required !== true && headers[name].schema)
    headers[name].schema = optional(name, headers[name].schema);
}

function typeOperation(typing: Typing, operation: Operation): void {
  const { contract, document } = typing;
  const { id, pointer, body, parameters } = operation;
  const item = document.paths[pointer[1] as string];
  const definition: Json = item[pointer[2] as string];
  definition.operationId = id;
  addStreams(typing, definition, operation);
  takeOutKeys(contract, item, definition, parameters);
  delete definition.requestBody;
  if (body) definition.requestBody = requestBody(typing, body);
}

/** Adds the items of streams to the responses of an operation. */
function addStreams({ document, views }: Typing, definition: Json, { responses }: Operation): void {
  for (const { status, content } of responses) {
    const streams = content.flatMap(({ type, itemSchema }) =>
      itemSchema ? [[type, { schema: views.inView('response', itemSchema) }] as const] : [],
    );
    if (streams.length === 0) continue;
    // Others that refer to the same component may be no streams.
    const [declared] = follow(document, definition.responses[status]) as [Json, unknown];
    definition.responses[status] = {
      ...declared,
      content: { ...declared.content, ...Object.fromEntries(streams) },
    };
  }
}

/** A body as callers send it, and as its handler receives it. */
function requestBody({ schemas, views }: Typing, body: NonNullable<Operation['body']>): Json {
  const { content, media, required, description } = body;
  const sent = bodySchema(schemas, media, 'sent');
  // A handler gets a body in each of its media types, as one type.
  const received = new Map(
    content
      .map((item) => bodySchema(schemas, item, 'received'))
      .map((schema) => [JSON.stringify(schema), schema]),
  );
  return {
    ...(description !== undefined && { description }),
    required,
    content: {
      'application/json': { schema: views.inView('sent', sent) },
      [RECEIVED]: { schema: views.inView('received', eitherOf([...received.values()])) },
    },
  };
}

/** Leaves out what no generated type is made of. */
function takeOutUntyped(document: Json): void {
  for (const section of ['requestBodies', 'examples', 'callbacks', 'links'])
    delete document.components[section];
  delete document.webhooks;
}

/** Gives each operation of the method QUERY a path of its own, and a method that openapi-typescript knows. */
function moveQueries(document: Json): void {
  for (const [path, { query, ...item }] of Object.entries<Json>(document.paths)) {
    if (query === undefined) continue;
    document.paths[path] = item;
    document.paths[QUERY + path] = { parameters: item.parameters, post: query };
  }
}

/** Types a header with a media type as the value of its JSON, otherwise as text. */
function asValue(header: Json): void {
  const [[type, media] = []] = Object.entries<Json>(header.content ?? {});
  if (type === undefined) return;
  delete header.content;
  header.schema = isJson(type) ? (media.schema ?? {}) : { type: 'string' };
}

/** Leaves out data that looks like references, and external examples: openapi-typescript would fetch them. */
function takeOutData(document: Json): void {
  for (const { kind, value } of walk(document).nodes) {
    if (kind === 'Example') delete value.externalValue;
    for (const [name, field] of Object.entries<Json>(value))
      if (isData(kind, name) && mentionsReference(field)) delete value[name];
  }
}

/** Components without those that are only a reference, which openapi-typescript does not follow. */
function withoutAliases(contract: SourceDocument, section: string): Json {
  const entries = Object.entries<Json>(contract.document.components[section]);
  return Object.fromEntries(entries.map(([name, value]) => [name, contract.resolve(value)]));
}

/** Leaves out the parameters that carry a key: clients have it already. */
function takeOutKeys(
  contract: SourceDocument,
  item: Json,
  definition: Json,
  parameters: readonly Parameter[],
): void {
  const kept = new Set(parameters.map(parameterKey));
  for (const holder of [item, definition])
    holder.parameters = holder.parameters?.filter((entry: Json) =>
      kept.has(parameterKey(contract.resolve(entry))),
    );
}

/** The type of text: its schema, unless that describes what the text means. */
function textSchema(schemas: Schemas, type: string, schema: Json): Json {
  const isText = [...schemas.typesOf(schema)].join() === 'string' && !schemas.isBinary(schema);
  return isText || isScalarText(type, schema, schemas) ? schema : { type: 'string' };
}

/** The type of a body: fields of forms may be bytes; other types are text or bytes as a whole. */
function bodySchema(schemas: Schemas, { type, kind, schema = {} }: MediaType, view: View): Json {
  const bytes = { type: 'string', format: view === 'sent' ? SENT_BYTES : RECEIVED_BYTES };
  if (kind === 'json') return schema;
  if (kind !== 'form') return kind === 'text' ? textSchema(schemas, type, schema) : bytes;
  const asBytes = (child: unknown): unknown => {
    if (schemas.isBinary(child)) return bytesIn(child);
    const items = schemas.itemsOf(child);
    return schemas.isBinary(items) ? { type: 'array', items: bytes } : child;
  };
  const bytesIn = (child: unknown) =>
    schemas.typesOf(child).has('null') ? eitherOf([bytes, { type: 'null' }]) : bytes;
  return withProperties(schema, (given) => withExtensions(given, schemas), asBytes);
}
