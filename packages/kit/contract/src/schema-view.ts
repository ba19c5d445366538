import { dereferenced, objectAt } from './described-operation.ts';
import { isObject, type JsonObject } from './json-pointer.ts';

/** Where a value is used: in a request, in the handler's input, or in a response. */
export type View = 'sent' | 'received' | 'response';

export const COMPOSITIONS = ['allOf', 'oneOf', 'anyOf'] as const;

/** The keyword of properties that only exist in the other direction. */
const ELSEWHERE = { sent: 'readOnly', received: 'readOnly', response: 'writeOnly' } as const;

interface Lookup {
  /** Follows references. */
  readonly resolve: (schema: unknown) => unknown;
  /** What replaces a reference; the reference itself by default. */
  readonly refer?: (reference: string) => string;
}

/**
 * `schema` in one view: a property of the other direction must be absent, even if required (OpenAPI 3.1 §4.8.24.1).
 * A property with a default is optional in requests and always present in the handler's input.
 */
export function schemaIn(view: View, schema: unknown, lookup: Lookup, around: JsonObject = {}): unknown {
  if (!isObject(schema)) return schema;
  const { $ref, required, properties } = schema;
  // Another part of a composition may define a property required here.
  const known = merged([around, propertiesOf(schema, lookup)]);
  const isElsewhere = (property: unknown) => isObject(property) && property[ELSEWHERE[view]] === true;
  const viewed = withSubschemas(schema, (child, place) => {
    if (place === 'properties' && isElsewhere(child)) return false;
    return schemaIn(view, child, lookup, COMPOSITIONS.some((item) => item === place) ? known : {});
  });
  const is = (property: unknown, keyword: string) => isObject(property) && keyword in property;
  const own = Object.entries(isObject(properties) ? properties : {});
  const stays = (name: string) =>
    !isElsewhere(known[name]) && !(view === 'sent' && is(known[name], 'default'));
  const names = new Set((Array.isArray(required) ? (required as string[]) : []).filter(stays));
  if (view === 'received')
    for (const [name, value] of own) if (is(value, 'default') && stays(name)) names.add(name);
  if (typeof $ref === 'string') viewed['$ref'] = lookup.refer?.($ref) ?? $ref;
  if (names.size > 0) viewed['required'] = [...names];
  else delete viewed['required'];
  return viewed;
}

/** The component schemas of `document` in one view, as targets of references. */
export function componentsIn(view: View, document: JsonObject): { readonly schemas: JsonObject } {
  const resolve = (schema: unknown) => dereferenced(schema, document);
  const schemas = Object.entries(objectAt(objectAt(document, 'components'), 'schemas'));
  return {
    schemas: Object.fromEntries(schemas.map(([name, schema]) => [name, schemaIn(view, schema, { resolve })])),
  };
}

const ANNOTATIONS = ['title', 'description', '$comment', 'example', 'examples', 'deprecated', 'externalDocs'];

/** Whether a keyword does not constrain values. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.includes(keyword) || keyword.startsWith('x-');
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name (JSON Schema 2020-12 core §10, §11). */
const SINGLE = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
];
const LISTS = [...COMPOSITIONS, 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

/** `schema` with every subschema changed. Values such as examples stay. */
export function withSubschemas(
  schema: JsonObject,
  change: (child: unknown, place: string) => unknown,
): JsonObject {
  const changed: JsonObject = { ...schema };
  for (const [key, value] of Object.entries(schema)) {
    if (SINGLE.includes(key)) changed[key] = change(value, key);
    else if (LISTS.includes(key) && Array.isArray(value))
      changed[key] = value.map((part) => change(part, key));
    else if (MAPS.includes(key) && isObject(value))
      changed[key] = Object.fromEntries(
        Object.entries(value).map(([name, child]) => [name, change(child, key)]),
      );
  }
  return changed;
}

export function subschemasOf(schema: JsonObject): unknown[] {
  const found: unknown[] = [];
  withSubschemas(schema, (child) => void found.push(child));
  return found;
}

/** The properties of an object, including those from an `allOf`. */
export function propertiesOf(
  schema: JsonObject,
  { resolve }: Lookup,
  seen: readonly unknown[] = [],
): JsonObject {
  const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]).map(resolve) : [];
  const inParts = parts
    .filter((part): part is JsonObject => isObject(part) && !seen.includes(part))
    .map((part) => propertiesOf(part, { resolve }, [...seen, schema]));
  return merged([...inParts, objectAt(schema, 'properties')]);
}

function merged(parts: readonly JsonObject[]): JsonObject {
  const all: JsonObject = {};
  for (const [name, value] of parts.flatMap(Object.entries<unknown>)) {
    const other = all[name];
    all[name] = isObject(other) && isObject(value) ? { ...other, ...value } : value;
  }
  return all;
}
