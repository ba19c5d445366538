import { createRequire } from 'node:module';
import {
  withExtensions,
  withTags,
  isScalarText,
  ALL_OF,
  componentReference,
  compositionOf,
  consequencesOf,
  COMPOSITIONS,
  eitherOf,
  follow,
  isComposed,
  mentionsReference,
  methodsOf,
  objectAt,
  parameterKey,
  parameterOf,
  referenceIn,
  referTo,
  subschemasOf,
  UNIONS,
  withParts,
  withProperties,
  withReferenceAsPart,
  withSubschemas,
  withUnionAsPart,
  type MediaType,
  type Parameter,
  type Schemas,
  schemaIn,
  type View,
} from '@contract-kit/core/model';
import { isObject, type JsonObject } from '@contract-kit/core/json';
import { isJson, isText } from '@contract-kit/core/http';
import type * as OpenapiTypescript from 'openapi-typescript';
import type { TypeNode } from 'typescript';
import {
  ContractError,
  type SourceDocument,
  type Json,
  isData,
  walk,
  inlinedDocument,
} from '@contract-kit/core/openapi';
import { typesOf } from '../support/rule.ts';
import { recursiveLists } from './recursive-lists.ts';
import { tupleType } from './tuple-type.ts';

// Not `import`, for which Node.js searches all of TypeScript for its exports.
const {
  default: openapiTS,
  astToString,
  stringToAST,
  transformSchemaObject,
} = createRequire(import.meta.url)('openapi-typescript') as typeof OpenapiTypescript;

const TOO_DEEP =
  'the schemas are nested, or refer one to the next, too deeply to be typed: make them less than some hundred deep';

export async function emitSchema(contract: SourceDocument): Promise<string> {
  const codes = Object.keys(contract.document['x-error-codes'] ?? {}).join();
  const open = ({ type, 'x-extensible-enum': values }: Json) => {
    const known =
      values.join() === codes ? ['ErrorCode'] : values.map((value: string) => JSON.stringify(value));
    const others = Array.isArray(type) ? ['(string & {})', 'null'] : ['(string & {})'];
    return typeNode([...known, ...others].join(' | '));
  };
  const document = forTypes(contract);
  const recursive = new Set<unknown>(recursiveLists(objectAt(objectAt(document, 'components'), 'schemas')));
  const lists: TypeNode[] = [];
  const nodes = await openapiTS(document, {
    silent: true,
    defaultNonNullable: false,
    transform(schema: Json, options) {
      if (recursive.delete(schema)) {
        lists.push(transformSchemaObject(schema.items, options));
        return typeNode(listName(lists.length) + ([schema.type].flat().includes('null') ? ' | null' : ''));
      }
      if (Array.isArray(schema.prefixItems))
        return tupleType(schema, (item) => transformSchemaObject(item as Json, options));
      if (String(schema.format).startsWith(MEMBER))
        return typeNode(`Object["${schema.format.slice(MEMBER.length)}"]`);
      if (schema.format === BYTES) return typeNode('Uint8Array');
      if (schema.format === SENT_BYTES) return typeNode('Uint8Array | Blob');
      if (schema.format === RECEIVED_BYTES) return typeNode('File');
      if (schema.format === EXACT)
        return typeNode([schema.type].flat().join(' | ').replace('integer', 'bigint'));
      if (Array.isArray(schema['x-extensible-enum']) && typesOf(schema).join() === 'string')
        return open(schema);
      return undefined;
    },
  }).catch((error: unknown) => {
    // It follows references by recursion.
    if (!(error instanceof RangeError)) throw error;
    throw new ContractError([contract.problemAt(['components', 'schemas'], TOO_DEEP)]);
  });
  const [paths] = nodes as unknown as { members: { name: { text?: string } }[] }[];
  // In place, because the printer needs the positions of a list of nodes.
  for (let index = (paths?.members.length ?? 0) - 1; index >= 0; index -= 1)
    if (paths?.members[index]?.name.text?.startsWith(QUERY)) paths.members.splice(index, 1);
  const interfaces = lists.map(
    (items, index) => `interface ${listName(index + 1)} extends Array<${astToString(items).trim()}> {}\n`,
  );
  // A part may be null by itself.
  const types = astToString(nodes)
    .replace(
      'K extends keyof T> = T & {\n    [P in K]-?: T[P];',
      'K extends keyof NonNullable<T>> = T & {\n    [P in K]-?: NonNullable<T>[P];',
    )
    .replaceAll(INHERITED, '');
  return `import type { ErrorCode } from './errors.ts';\n\n${types}${interfaces.join('')}`;
}

const listName = (number: number) => `List${number}`;

/** Placeholder for the bytes of a body: within JSON, binary is an ordinary string. */
const BYTES = 'bytes of a body';

/** Placeholder for the bytes of a body as callers send them. */
const SENT_BYTES = 'bytes to send';

/** Placeholder for the bytes of a body as handlers receive them. */
const RECEIVED_BYTES = 'bytes received';

/** Begins the path of an operation whose method openapi-typescript does not know, and its types do not list. */
const QUERY = 'QUERY ';

/** Follows a name that every object inherits, which openapi-typescript would find in its own tables. */
const INHERITED = ' of every object';

const ownName = (name: string) => (name in Object.prototype ? name + INHERITED : name);

const withOwnNames = (values: object): Json =>
  Object.fromEntries(Object.entries<Json>(values).map(([name, value]) => [ownName(name), value]));

/** Placeholder for a member that every object inherits, before its name. */
const MEMBER = 'member of every object: ';

/** The names of the members that TypeScript knows. */
const MEMBERS = [
  ...['constructor', 'hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable'],
  ...['toLocaleString', 'toString', 'valueOf'],
];

/** The schema of a field that may be missing: TypeScript then finds an inherited member of its name, such as `toString`. */
const optional = (name: string, schema: Json): Json =>
  MEMBERS.includes(name) ? eitherOf([schema, { format: MEMBER + name }]) : schema;

/** Placeholder for int64 in a parameter: text carries all 64 bits, JSON numbers only 2^53. */
const EXACT = 'int64 as text';

/**
 * The document as the generated types need it: with the description of each header next to its references; the schemas
 * of parameters written out, whose int64 are of another type than those of bodies; and each schema as it holds in a
 * response, with more types (`Book.sent`, `Book.received`) if it differs in a request.
 */
function forTypes(contract: SourceDocument): Json {
  const { operations, schemas, document: plain } = contract.model;
  const components: Json = { ...objectAt(plain, 'components') };
  const written: Record<string, Json> = Object.fromEntries(
    Object.entries<Json>(components.schemas ?? {}).map(([name, schema]) => [
      name,
      referenceIn(schema) === undefined ? withExtensions(schema, schemas) : schema,
    ]),
  );
  const viewed: Record<string, Json> = {};
  const inView = (view: View, schema: Json): Json =>
    forCompiler(
      schemaIn(view, withTags(schema, schemas), {
        schemas,
        refer: (reference, seen) => viewOf(seen, reference),
      }),
      schemas,
    );
  const viewOf = (view: View, reference: string): string => {
    const name = reference.replace(componentReference('schemas', ''), '');
    // A reference may lead into a component.
    const target = written[name] ?? schemas.resolve(referTo(reference));
    const itsView = viewFor(schemas, view, target);
    if (itsView === 'response') return reference;
    const key = `${name.replaceAll('/', '.')}.${itsView}`;
    if (!(key in viewed)) {
      viewed[key] = {};
      viewed[key] = inView(itsView, target);
    }
    return componentReference('schemas', key);
  };

  const document: Json = JSON.parse(JSON.stringify(inlinedDocument(contract)));
  for (const section of ['responses', 'parameters', 'headers'])
    if (components[section])
      document.components[section] = structuredClone(withoutAliases(contract, section));
  const items = Object.values<Json>(document.paths);
  const definitions = items.flatMap((item) => methodsOf(item).map((method) => item[method]));
  const listed = [...items, ...definitions].flatMap((item) => item.parameters ?? []);
  for (const parameter of [...listed, ...Object.values<Json>(document.components.parameters ?? {})]) {
    if (referenceIn(parameter)) continue;
    const { content, written } = parameterOf(parameter, [], schemas);
    const { items, ...outer } = withExtensions(written, schemas);
    const whole = isObject(items) ? { ...outer, items: withExtensions(items, schemas) } : { ...outer, items };
    const schema: Json = structuredClone(items === undefined ? outer : whole);
    for (const item of content ? [] : [schema, schema.items])
      if (item?.format === 'int64') item.format = EXACT;
    delete parameter.content;
    const plain = forCompiler(schema, schemas);
    parameter.schema = parameter.required === true ? plain : optional(parameter.name, plain);
  }
  for (const responses of [
    document.components.responses ?? {},
    ...definitions.map((operation) => operation.responses),
  ]) {
    for (const response of Object.values<Json>(responses)) {
      const { headers = {}, content = {} } = response;
      delete response.links;
      for (const [name, header] of Object.entries<Json>(headers)) {
        const described = contract.resolve(header);
        if (referenceIn(header)) header.description ??= described.description;
        // A reference would be the type of a header that is required.
        if (described.required !== true) headers[name] = { ...described, description: header.description };
        asValue(headers[name]);
        if (described.required !== true && headers[name].schema)
          headers[name].schema = optional(name, headers[name].schema);
      }
      if (response.headers) response.headers = withOwnNames(headers);
      // Without examples: openapi-typescript would search them for schemas.
      for (const type in content) {
        const { schema } = content[type];
        const plain = isText(type) ? textSchema(schemas, type, schema) : { type: 'string', format: BYTES };
        const isBytes = type.includes('*') && schemas.isBinary(schema);
        content[type] = { schema: inView('response', isJson(type) && !isBytes ? schema : plain) };
      }
    }
  }
  for (const header of Object.values<Json>(document.components.headers ?? {})) {
    asValue(header);
    if (header.schema) header.schema = forCompiler(header.schema, schemas);
  }
  for (const definition of definitions) delete definition.callbacks;
  for (const { id, pointer, body, parameters, responses } of operations) {
    const item = document.paths[pointer[1] as string];
    const definition: Json = item[pointer[2] as string];
    definition.operationId = id;
    for (const { status, content } of responses) {
      const streams = content.flatMap(({ type, itemSchema }) =>
        itemSchema ? [[type, { schema: inView('response', itemSchema) }] as const] : [],
      );
      if (streams.length === 0) continue;
      // Others that refer to the same component may be no streams.
      const [declared] = follow(document, definition.responses[status]) as [Json, unknown];
      definition.responses[status] = {
        ...declared,
        content: { ...declared.content, ...Object.fromEntries(streams) },
      };
    }
    takeOutKeys(contract, item, definition, parameters);
    delete definition.requestBody;
    if (!body) continue;
    const { content, media, required, description } = body;
    const sent = bodySchema(schemas, media, 'sent');
    // A handler gets a body in each of its media types, as one type.
    const received = new Map(
      content
        .map((item) => bodySchema(schemas, item, 'received'))
        .map((schema) => [JSON.stringify(schema), schema]),
    );
    definition.requestBody = {
      ...(description !== undefined && { description }),
      required,
      content: {
        'application/json': { schema: inView('sent', sent) },
        [RECEIVED]: { schema: inView('received', eitherOf([...received.values()])) },
      },
    };
  }
  for (const name in written) document.components.schemas[name] = inView('response', written[name]);
  Object.assign(document.components.schemas ?? {}, viewed);
  for (const section of ['requestBodies', 'examples', 'callbacks', 'links'])
    delete document.components[section];
  delete document.webhooks;
  takeOutData(document);
  for (const [path, { query, ...item }] of Object.entries<Json>(document.paths)) {
    if (query === undefined) continue;
    document.paths[path] = item;
    document.paths[QUERY + path] = { parameters: item.parameters, post: query };
  }
  return document;
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

/** Keywords that change a type. */
const SHAPING = ['properties', 'required', ...COMPOSITIONS, 'enum', 'const'];

/** `schema` in a form that openapi-typescript understands. */
function forCompiler(schema: unknown, schemas: Schemas, isPart = false): Json {
  if (!isObject(schema)) return schema;
  // openapi-typescript ignores what is next to a reference.
  const reference = referenceIn(schema);
  if (reference && SHAPING.some((keyword) => keyword in schema))
    return forCompiler(withReferenceAsPart(schema), schemas, isPart);
  const { patternProperties, unevaluatedProperties, ...known } = schema;
  // Its type would have the definitions as fields.
  if (reference?.includes('/$defs/')) return {};
  delete known['$defs'];
  // openapi-typescript does not know it.
  if (unevaluatedProperties !== undefined) known['additionalProperties'] ??= unevaluatedProperties;
  // openapi-typescript takes the properties next to an `anyOf` for one more alternative.
  const apart = withUnionAsPart(known, SHAPING);
  const plain: Json = withSubschemas(apart, (child, place) => forCompiler(child, schemas, place === ALL_OF));
  if (plain.properties) {
    const typed = Object.entries<Json>(plain.properties).map(([name, child]) => [
      name,
      plain.required?.includes(name) ? child : optional(name, child),
    ]);
    plain.properties = withOwnNames(Object.fromEntries(typed));
  }
  if (plain.required) plain.required = plain.required.map(ownName);
  // An index signature must include the types of all fields, also of those that are described elsewhere.
  const hasFields = 'properties' in plain || isComposed(plain);
  if (patternProperties ?? (hasFields && isObject(plain['additionalProperties'])))
    plain['additionalProperties'] = true;
  // The mapping names schemas of responses; the branches state their tags.
  delete plain['discriminator'];
  // It would type an object of any properties as one without. If its parts have properties, they say which.
  if (isAnyObject(plain)) {
    const { parts } = compositionOf(plain);
    if (
      parts.some(
        (part) => isComposed(part.schema as JsonObject) || 'properties' in (part.schema as JsonObject),
      )
    )
      delete plain['type'];
    else plain['additionalProperties'] = true;
  }
  // It does not know conditions. Another part may say more of a field.
  const names = consequencesOf(schema).flatMap((child) => Object.keys(schemas.possibleFieldsOf(child)));
  if (
    names.length > 0 &&
    plain['additionalProperties'] !== true &&
    (isPart || typesOf(plain).includes('object'))
  )
    plain.properties = {
      ...withOwnNames(Object.fromEntries(names.map((name) => [name, {}]))),
      ...plain.properties,
    };
  // Each branch repeats the type.
  if (UNIONS.some((keyword) => plain[keyword])) delete plain['type'];
  // openapi-typescript takes the values of an object for schemas.
  if (plain['properties']) delete plain['enum'];
  // It would type this as unknown.
  if (plain['const'] === null) return { type: 'null' };
  return withRequiredOfParts(plain);
}

function isAnyObject(schema: JsonObject): boolean {
  const isEmpty = !isObject(schema['properties']) || Object.keys(schema['properties']).length === 0;
  return typesOf(schema).includes('object') && isEmpty && !('additionalProperties' in schema);
}

/** For openapi-typescript, which ignores fields that a part requires of the others. */
function withRequiredOfParts(schema: JsonObject): JsonObject {
  const parts = compositionOf(schema).parts.map((part): Json => part.schema);
  if (parts.length === 0) return schema;
  const required = [schema, ...parts].flatMap((part: Json) => part?.required ?? []);
  // A part with only `required` would become an empty object type.
  const others = parts.filter(
    (part: Json) =>
      !typesOf(part).includes('object') || Object.keys(part).some((key) => !/^(type|required)$/.test(key)),
  );
  return { ...withParts(schema, others), required: [...new Set(required)] };
}

/** Placeholder for a media type: the body that the handler receives. */
export const RECEIVED = 'received';

/** The view of a schema, which may equal that of responses or requests. */
function viewFor(schemas: Schemas, view: View, schema: Json): View {
  if (view === 'response' || !reaches(schemas, schema, ['readOnly', 'writeOnly', 'default']))
    return 'response';
  return reaches(schemas, schema, ['default']) ? view : 'sent';
}

/** Whether a schema, or one that it leads to by references and subschemas, has one of the keywords. */
function reaches(schemas: Schemas, from: Json, keywords: readonly string[], seen = new Set<Json>()): boolean {
  return schemas.partsOf(from).some((schema) => {
    if (seen.has(schema)) return false;
    seen.add(schema);
    if (keywords.some((keyword) => keyword in schema)) return true;
    return subschemasOf(schema).some((child) => reaches(schemas, child, keywords, seen));
  });
}

function typeNode(type: string): TypeNode {
  const [alias] = stringToAST(`type T = ${type}`) as unknown as { type: TypeNode }[];
  if (!alias) throw new Error(`not a type: ${type}`);
  return alias.type;
}
