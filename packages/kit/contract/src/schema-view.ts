import { isObject, type JsonObject } from './json-pointer.ts';
import { objectAt, schemasOf, type Schemas } from './model/model.ts';
import { merged } from './model/schemas.ts';

/** Where a value is used: in a request, in the handler's input, or in a response. */
export type View = 'sent' | 'received' | 'response';

export const COMPOSITIONS = ['allOf', 'oneOf', 'anyOf'] as const;

/** The keyword of properties that only exist in the other direction. */
export const ELSEWHERE = { sent: 'readOnly', received: 'readOnly', response: 'writeOnly' } as const;

interface Reading {
  readonly schemas: Schemas;
  /** What replaces a reference; the reference itself by default. A branch is sent, because its defaults may be missing. */
  readonly refer?: (reference: string, view: View) => string;
}

/**
 * `schema` in one view: a property of the other direction must be absent, even if required (OpenAPI 3.1 §4.8.24.1).
 * A property with a default is optional in requests, and always present in the handler's input, but in alternatives.
 */
export function schemaIn(
  view: View,
  schema: unknown,
  reading: Reading,
  around: JsonObject = {},
  isConditional = false,
): unknown {
  if (!isObject(schema)) return schema;
  const { schemas } = reading;
  const { $ref, required } = schema;
  // Another part of a composition may define a property required here.
  const known = merged([around, schemas.fieldsOf(schema)]);
  const isElsewhere = (property: unknown) => schemas.has(ELSEWHERE[view], property);
  const viewed = withSubschemas(schema, (child, place) => {
    if (place === 'properties' && isElsewhere(child)) return false;
    const isPart = COMPOSITIONS.some((item) => item === place);
    return schemaIn(
      isAlternative(schema, place, schemas) ? sentFor(view) : view,
      child,
      reading,
      isPart ? known : {},
      isConditional || CONDITIONS.includes(place),
    );
  });
  // No default is filled because of a condition.
  const isFilled = (property: unknown) => !isConditional && schemas.defaultOf(property) !== undefined;
  const stays = (name: string) => !isElsewhere(known[name]) && !(view === 'sent' && isFilled(known[name]));
  const names = new Set((Array.isArray(required) ? (required as string[]) : []).filter(stays));
  if (view === 'received')
    for (const [name, value] of Object.entries(objectAt(schema, 'properties')))
      if (isFilled(value) && stays(name)) names.add(name);
  if (typeof $ref === 'string') viewed['$ref'] = reading.refer?.($ref, view) ?? $ref;
  if (names.size > 0) viewed['required'] = [...names];
  else delete viewed['required'];
  return viewed;
}

/** Whether a subschema holds for some values only, so that its defaults may be missing. */
function isAlternative(schema: JsonObject, place: string, schemas: Schemas): boolean {
  if (place !== 'oneOf' && place !== 'anyOf') return CONDITIONS.includes(place);
  return schemas.branchesOf({ [place]: schema[place] }).length > 0;
}

const CONDITIONS = ['not', 'if', 'then', 'else', 'dependentSchemas', 'contains'];
const sentFor = (view: View): View => (view === 'received' ? 'sent' : view);

/** The component schemas of `document` in one view, as targets of references. */
export function componentsIn(view: View, document: JsonObject): { readonly schemas: JsonObject } {
  const schemas = schemasOf(document);
  const components = Object.entries(objectAt(objectAt(document, 'components'), 'schemas'));
  return {
    schemas: Object.fromEntries(
      components.map(([name, schema]) => [name, schemaIn(view, schema, { schemas })]),
    ),
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
