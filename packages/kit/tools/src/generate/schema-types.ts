import { createRequire } from 'node:module';
import { withExtensions, withTags } from '@kit/contract/decided-schema';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import { isJson, isText } from '@kit/contract/media-type';
import {
  methodsOf,
  modelOf,
  parameterKey,
  parameterOf,
  type MediaType,
  type Parameter,
  type Schemas,
} from '@kit/contract/model';
import { COMPOSITIONS, schemaIn, subschemasOf, withSubschemas, type View } from '@kit/contract/schema-view';
import type * as OpenapiTypescript from 'openapi-typescript';
import type { TypeNode } from 'typescript';
import { ContractError, type SourceDocument, type Json } from '../source-document.ts';
import { isData } from '../read/grammar.ts';
import { walk } from '../read/walk.ts';
import { typesOf } from '../support/rule.ts';
import { plainDocument } from './plain-document.ts';
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
  const nodes = await openapiTS(forTypes(contract), {
    silent: true,
    defaultNonNullable: false,
    transform(schema: Json, options) {
      if (Array.isArray(schema.prefixItems))
        return tupleType(schema, (item) => transformSchemaObject(item as Json, options));
      if (schema.format === BYTES) return typeNode('Uint8Array');
      if (schema.format === SENT_BYTES) return typeNode('Uint8Array | Blob');
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
  // A part of an `allOf` may be null by itself.
  const types = astToString(nodes).replace(
    'K extends keyof T> = T & {\n    [P in K]-?: T[P];',
    'K extends keyof NonNullable<T>> = T & {\n    [P in K]-?: NonNullable<T>[P];',
  );
  return `import type { ErrorCode } from './errors.ts';\n\n${types}`;
}

/** Placeholder for the bytes of a body: within JSON, binary is an ordinary string. */
const BYTES = 'bytes of a body';

/** Placeholder for the bytes of a body as callers send them. */
const SENT_BYTES = 'bytes to send';

/** Placeholder for int64 in a parameter: text carries all 64 bits, JSON numbers only 2^53. */
const EXACT = 'int64 as text';

/**
 * The document as the generated types need it: with the description of each header next to its references; the schemas
 * of parameters written out, whose int64 are of another type than those of bodies; and each schema as it holds in a
 * response, with more types (`Book.sent`, `Book.received`) if it differs in a request.
 */
function forTypes(contract: SourceDocument): Json {
  const { operations, schemas } = modelOf(contract.document);
  const components: Json = { ...contract.document.components };
  const written: Record<string, Json> = Object.fromEntries(
    Object.keys(components.schemas ?? {}).map((name) => [name, withExtensions(name, contract.document)]),
  );
  const viewed: Record<string, Json> = {};
  const inView = (view: View, schema: Json): Json =>
    forCompiler(
      schemaIn(view, withTags(schema, schemas), {
        schemas,
        refer: (reference, seen) => referTo(seen, reference),
      }),
      schemas,
    );
  const referTo = (view: View, reference: string): string => {
    const name = reference.replace('#/components/schemas/', '');
    // A reference may lead into a component.
    const target = written[name] ?? schemas.resolve({ $ref: reference });
    const itsView = viewFor(schemas, view, target);
    if (itsView === 'response') return reference;
    const key = `${name.replaceAll('/', '.')}.${itsView}`;
    if (!(key in viewed)) {
      viewed[key] = {};
      viewed[key] = inView(itsView, target);
    }
    return `#/components/schemas/${key}`;
  };

  const document: Json = JSON.parse(JSON.stringify(plainDocument(contract)));
  for (const section of ['responses', 'parameters', 'headers'])
    if (components[section])
      document.components[section] = structuredClone(withoutAliases(contract, section));
  const items = Object.values<Json>(document.paths);
  const definitions = items.flatMap((item) => methodsOf(item).map((method) => item[method]));
  const listed = [...items, ...definitions].flatMap((item) => item.parameters ?? []);
  for (const parameter of [...listed, ...Object.values<Json>(document.components.parameters ?? {})]) {
    if (parameter.$ref) continue;
    const { content, schema } = structuredClone<Json>(parameterOf(parameter, [], schemas));
    for (const item of content ? [] : [schema, schema.items])
      if (item?.format === 'int64') item.format = EXACT;
    delete parameter.content;
    parameter.schema = forCompiler(schema, schemas);
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
        if (header.$ref) header.description ??= described.description;
        // A reference would be the type of a header that is required.
        if (described.required !== true) headers[name] = { ...described, description: header.description };
        asText(headers[name]);
      }
      // Without examples: openapi-typescript would search them for schemas.
      for (const type in content) {
        const plain = isText(type) ? { type: 'string' } : { type: 'string', format: BYTES };
        content[type] = { schema: isJson(type) ? inView('response', content[type].schema) : plain };
      }
    }
  }
  for (const header of Object.values<Json>(document.components.headers ?? {})) {
    asText(header);
    if (header.schema) header.schema = forCompiler(header.schema, schemas);
  }
  for (const definition of definitions) delete definition.callbacks;
  for (const { id, pointer, body, parameters } of operations) {
    const item = document.paths[pointer[1] as string];
    const definition: Json = item[pointer[2] as string];
    definition.operationId = id;
    takeOutKeys(contract, item, definition, parameters);
    delete definition.requestBody;
    if (!body) continue;
    const { media, required, description } = body;
    const views = { 'application/json': 'sent', [RECEIVED]: 'received' } as const;
    const content = Object.entries(views).map(([type, view]) => {
      return [type, { schema: inView(view, bodySchema(schemas, media, view)) }];
    });
    definition.requestBody = {
      ...(description !== undefined && { description }),
      required,
      content: Object.fromEntries(content),
    };
  }
  for (const name in written) document.components.schemas[name] = inView('response', written[name]);
  Object.assign(document.components.schemas ?? {}, viewed);
  for (const section of ['requestBodies', 'examples', 'callbacks', 'links'])
    delete document.components[section];
  delete document.webhooks;
  takeOutData(document);
  return document;
}

/** Types a header with a media type, such as JSON, as the text that handlers write and clients read. */
function asText(header: Json): void {
  if (!header.content) return;
  delete header.content;
  header.schema = { type: 'string' };
}

/** Leaves out data with a `$ref` in it, and external examples: openapi-typescript would fetch them. */
function takeOutData(document: Json): void {
  for (const { kind, value } of walk(document).nodes) {
    if (kind === 'Example') delete value.externalValue;
    for (const [name, field] of Object.entries<Json>(value))
      if (isData(kind, name) && JSON.stringify(field).includes('"$ref"')) delete value[name];
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

/** The type of a body: fields of forms may be bytes; other types are text or bytes as a whole. */
function bodySchema(schemas: Schemas, { kind, schema = {} }: MediaType, view: View): Json {
  const bytes = { type: 'string', format: view === 'sent' ? SENT_BYTES : BYTES };
  if (kind === 'json') return schema;
  if (kind !== 'form') return kind === 'text' ? { type: 'string' } : bytes;
  const asBytes = (child: unknown): unknown => {
    if (schemas.isBinary(child)) return bytesIn(child);
    const items = schemas.itemsOf(child);
    return schemas.isBinary(items) ? { type: 'array', items: bytes } : child;
  };
  const bytesIn = (child: unknown) =>
    schemas.typesOf(child).has('null') ? { anyOf: [bytes, { type: 'null' }] } : bytes;
  const form = (given: unknown): unknown => {
    if (!isObject(given)) return given;
    const whole = schemas.whole(given);
    return withSubschemas(whole, (child, place) => {
      if (place === 'properties') return asBytes(child);
      return COMPOSITIONS.some((item) => item === place) ? form(child) : child;
    });
  };
  return form(schema);
}

/** Keywords that change a type. */
const SHAPING = ['properties', 'required', 'allOf', 'oneOf', 'anyOf', 'enum', 'const'];

/** `schema` in a form that openapi-typescript understands. */
function forCompiler(schema: unknown, schemas: Schemas): Json {
  if (!isObject(schema)) return schema;
  // openapi-typescript ignores what is next to a reference.
  const { $ref, ...siblings } = schema;
  if ($ref && SHAPING.some((keyword) => keyword in siblings))
    return forCompiler({ allOf: [{ $ref }, siblings] }, schemas);
  const { patternProperties, ...known } = schema;
  // Its type would have the definitions as fields.
  if (String(known['$ref']).includes('/$defs/')) return {};
  delete known['$defs'];
  const plain = withSubschemas(known, (child) => forCompiler(child, schemas));
  // An index signature must include the types of all fields.
  if (patternProperties ?? (plain['properties'] && isObject(plain['additionalProperties'])))
    plain['additionalProperties'] = true;
  // The mapping names schemas of responses; the branches state their tags.
  delete plain['discriminator'];
  // It would type an object of any properties as one without.
  if (isAnyObject(plain)) plain['additionalProperties'] = true;
  // Each branch repeats the type.
  if (plain['oneOf'] ?? plain['anyOf']) delete plain['type'];
  // openapi-typescript takes the values of an object for schemas.
  if (plain['properties']) delete plain['enum'];
  // It would type this as unknown.
  if (plain['const'] === null) return { type: 'null' };
  return plain['allOf'] ? withRequiredOfParts(plain) : plain;
}

function isAnyObject(schema: JsonObject): boolean {
  const isEmpty = !isObject(schema['properties']) || Object.keys(schema['properties']).length === 0;
  return typesOf(schema).includes('object') && isEmpty && !('additionalProperties' in schema);
}

/** For openapi-typescript, which ignores fields that a part of an `allOf` requires of the others. */
function withRequiredOfParts(schema: Json): JsonObject {
  const { allOf, required = [], ...others } = schema;
  const all = [...required, ...allOf.flatMap((part: Json) => part?.required ?? [])];
  // A part with only `required` would become an empty object type.
  const parts = allOf.filter(
    (part: Json) =>
      !typesOf(part).includes('object') || Object.keys(part).some((key) => !/^(type|required)$/.test(key)),
  );
  return { ...others, allOf: parts, required: [...new Set(all)] };
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
