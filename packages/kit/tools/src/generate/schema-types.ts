import { createRequire } from 'node:module';
import { methodsOf, parameterOf } from '@kit/contract/described-operation';
import { isObject, resolve, type JsonObject } from '@kit/contract/json-pointer';
import { isBinary, isJson, isText, preferred, requestKindOf, type BodyKind } from '@kit/contract/media-type';
import { schemaIn, subschemasOf, withSubschemas, type View } from '@kit/contract/schema-view';
import type * as OpenapiTypescript from 'openapi-typescript';
import type { TypeNode } from 'typescript';
import { ContractError, type SourceDocument, type Json, type Pointer } from '../source-document.ts';
import { operationsOf } from '../operations.ts';
import { typesOf } from '../support/rule.ts';
import { plainDocument } from './plain-document.ts';

// Not `import`, for which Node.js searches all of TypeScript for its exports.
const {
  default: openapiTS,
  astToString,
  stringToAST,
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
    transform(schema: Json) {
      if (schema.format === BYTES) return typeNode('Uint8Array');
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

/** Placeholder for int64 in a parameter: text carries all 64 bits, JSON numbers only 2^53. */
const EXACT = 'int64 as text';

/**
 * The document as the generated types need it: with the description of each header next to its references; the schemas
 * of parameters written out, whose int64 are of another type than those of bodies; and each schema as it holds in a
 * response, with more types (`Book.sent`, `Book.received`) if it differs in a request.
 */
function forTypes(contract: SourceDocument): Json {
  const { schemas = {} } = contract.document.components ?? {};
  const viewed: Record<string, Json> = {};
  const inView = (view: View, schema: Json): Json =>
    forCompiler(
      schemaIn(view, schema, {
        resolve: (child) => contract.resolve(child),
        refer: (reference) => referTo(view, reference),
      }),
    );
  const referTo = (view: View, reference: string): string => {
    const name = reference.split('/').at(-1) as string;
    const itsView = viewFor(contract, view, schemas[name]);
    if (itsView === 'response') return reference;
    const key = `${name}.${itsView}`;
    if (!(key in viewed)) {
      viewed[key] = {};
      viewed[key] = inView(itsView, schemas[name]);
    }
    return `#/components/schemas/${key}`;
  };

  const document: Json = JSON.parse(JSON.stringify(plainDocument(contract)));
  const { components = {} } = document;
  const items = Object.values<Json>(document.paths);
  const operations = items.flatMap((item) => methodsOf(item).map((method) => item[method]));
  const parameters = [...items, ...operations].flatMap((item) => item.parameters ?? []);
  for (const parameter of [...parameters, ...Object.values<Json>(components.parameters ?? {})]) {
    if (parameter.$ref) continue;
    const { content, schema } = structuredClone<Json>(parameterOf(parameter, contract.document));
    for (const item of content ? [] : [schema, schema.items])
      if (item?.format === 'int64') item.format = EXACT;
    delete parameter.content;
    parameter.schema = schema;
  }
  for (const responses of [
    components.responses ?? {},
    ...operations.map((operation) => operation.responses),
  ]) {
    for (const response of Object.values<Json>(responses)) {
      const { headers = {}, content = {} } = response;
      delete response.links;
      for (const [name, header] of Object.entries<Json>(headers)) {
        const described = contract.resolve(header);
        if (header.$ref) header.description ??= described.description;
        // A reference would be the type of a header that is required.
        if (described.required !== true) headers[name] = { ...described, description: header.description };
      }
      // Without examples: openapi-typescript would search them for schemas.
      for (const type in content) {
        const plain = isText(type) ? { type: 'string' } : { type: 'string', format: BYTES };
        content[type] = { schema: isJson(type) ? inView('response', content[type].schema) : plain };
      }
    }
  }
  for (const operation of operations) delete operation.callbacks;
  for (const operation of operations.filter(({ requestBody }) => requestBody)) {
    const { content, ...body } = contract.resolve(operation.requestBody);
    const [type = '', described] = preferred<Json>(content) ?? [];
    const kind = requestKindOf(type, contract.resolve(described?.schema));
    const schema = bodySchema(contract, kind, described?.schema ?? {});
    const views = { 'application/json': 'sent', [RECEIVED]: 'received' } as const;
    const media = Object.entries(views).map(([type, view]) => [type, { schema: inView(view, schema) }]);
    operation.requestBody = { ...body, content: Object.fromEntries(media) };
  }
  for (const name in schemas) components.schemas[name] = inView('response', schemas[name]);
  Object.assign(components.schemas ?? {}, viewed);
  for (const section of ['requestBodies', 'examples', 'callbacks', 'links']) delete components[section];
  delete document.webhooks;
  for (const { id, pointer } of operationsOf(contract)) named(document, pointer, id);
  return document;
}

/** The type of a body: fields of forms may be bytes; other types are text or bytes as a whole. */
function bodySchema(contract: SourceDocument, kind: BodyKind, schema: Json): Json {
  if (kind === 'json') return schema;
  if (kind !== 'form') return kind === 'text' ? { type: 'string' } : { type: 'string', format: BYTES };
  const asBytes = (child: unknown): unknown => {
    const property = contract.resolve(child);
    if (isBinary(property ?? {})) return { ...property, format: BYTES };
    const items: Json = contract.resolve(property?.items);
    return isBinary(items ?? {}) ? { ...property, items: { ...items, format: BYTES } } : child;
  };
  return withSubschemas(contract.resolve(schema), (child, place) =>
    place === 'properties' ? asBytes(child) : child,
  );
}

/** Gives the operation at `pointer` in `document` its name in code. */
function named(document: Json, [, path = '', method = '']: Pointer, id: string): void {
  const item = document.paths[path];
  const operation: Json = (item.$ref ? (resolve(document, item.$ref) as Json) : item)?.[method];
  if (operation) operation.operationId = id;
}

/** Keywords that change a type. */
const SHAPING = ['properties', 'required', 'allOf', 'oneOf', 'anyOf', 'enum', 'const'];

/** `schema` in a form that openapi-typescript understands. */
function forCompiler(schema: unknown): Json {
  if (!isObject(schema)) return schema;
  // openapi-typescript ignores what is next to a reference.
  const { $ref, ...siblings } = schema;
  if ($ref && SHAPING.some((keyword) => keyword in siblings))
    return forCompiler({ allOf: [{ $ref }, siblings] });
  const { patternProperties, ...known } = schema;
  // Its type would have the definitions as fields.
  if (String(known['$ref']).includes('/$defs/')) return {};
  delete known['$defs'];
  const plain = withSubschemas(known, forCompiler);
  // An index signature must include the types of all fields.
  if (patternProperties ?? (plain['properties'] && isObject(plain['additionalProperties'])))
    plain['additionalProperties'] = true;
  // The mapping names schemas of responses; the branches state their tags.
  delete plain['discriminator'];
  // Each branch repeats the type.
  if (plain['oneOf'] ?? plain['anyOf']) delete plain['type'];
  // openapi-typescript takes the values of an object for schemas.
  if (plain['properties']) delete plain['enum'];
  // It would type this as unknown.
  if (plain['const'] === null) return { type: 'null' };
  return plain['allOf'] ? withRequiredOfParts(plain) : plain;
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
function viewFor(contract: SourceDocument, view: View, schema: Json): View {
  if (view === 'response' || !reaches(contract, schema, ['readOnly', 'writeOnly', 'default']))
    return 'response';
  return reaches(contract, schema, ['default']) ? view : 'sent';
}

/** Whether a schema, or one that it leads to by references and subschemas, has one of the keywords. */
function reaches(
  contract: SourceDocument,
  from: Json,
  keywords: readonly string[],
  seen = new Set<Json>(),
): boolean {
  const schema = contract.resolve(from);
  if (!isObject(schema) || seen.has(schema)) return false;
  seen.add(schema);
  if (keywords.some((keyword) => keyword in schema)) return true;
  return subschemasOf(schema).some((child) => reaches(contract, child, keywords, seen));
}

function typeNode(type: string): TypeNode {
  const [alias] = stringToAST(`type T = ${type}`) as unknown as { type: TypeNode }[];
  if (!alias) throw new Error(`not a type: ${type}`);
  return alias.type;
}
