import { isObject, type JsonObject } from './json-pointer.ts';

/** Where a value stands: in what a caller sends, in what the handler receives of it, or in a reply. */
export type View = 'sent' | 'received' | 'reply';

/** What a property that stands elsewhere only is marked with. */
const ELSEWHERE = { sent: 'readOnly', received: 'readOnly', reply: 'writeOnly' } as const;

interface Lookup {
  /** Follows references. */
  readonly resolve: (schema: unknown) => unknown;
  /** What to write for a reference; the reference itself by default. */
  readonly refer?: (reference: string) => string;
}

/**
 * `schema` as it holds in one view: a property that stands elsewhere only must not be there, even if it is required
 * (OpenAPI 3.1 §4.8.24.1); one with a default may be left out of what is sent, and is always there in what is received.
 */
export function schemaIn(view: View, schema: unknown, lookup: Lookup, around: JsonObject = {}): unknown {
  if (!isObject(schema)) return schema;
  const { $ref, required, properties } = schema;
  if (typeof $ref === 'string') return { ...schema, $ref: lookup.refer?.($ref) ?? $ref };
  const inside = (child: unknown) => schemaIn(view, child, lookup);
  // Another part of a composition may say of a property what is required here.
  const known = { ...around, ...propertiesOf(schema, lookup) };
  const viewed: JsonObject = { ...schema };
  for (const key of ['items', 'additionalProperties']) if (key in schema) viewed[key] = inside(schema[key]);
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    const parts = schema[key];
    if (Array.isArray(parts)) viewed[key] = parts.map((part) => schemaIn(view, part, lookup, known));
  }
  const is = (property: unknown, keyword: string) => isObject(property) && keyword in property;
  const isElsewhere = (property: unknown) => isObject(property) && property[ELSEWHERE[view]] === true;
  const own = Object.entries(isObject(properties) ? properties : {});
  if (properties) {
    viewed['properties'] = Object.fromEntries(
      own.map(([name, property]) => [name, isElsewhere(property) ? false : inside(property)]),
    );
  }
  const stays = (name: string) =>
    !isElsewhere(known[name]) && !(view === 'sent' && is(known[name], 'default'));
  const names = new Set((Array.isArray(required) ? (required as string[]) : []).filter(stays));
  if (view === 'received')
    for (const [name, each] of own) if (is(each, 'default') && stays(name)) names.add(name);
  if (names.size > 0) viewed['required'] = [...names];
  else delete viewed['required'];
  return viewed;
}

/** The properties of an object, those in the parts of an `allOf` included. */
export function propertiesOf(
  schema: JsonObject,
  { resolve }: Lookup,
  seen: readonly unknown[] = [],
): JsonObject {
  const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]).map(resolve) : [];
  const inParts = parts
    .filter((part): part is JsonObject => isObject(part) && !seen.includes(part))
    .map((part) => propertiesOf(part, { resolve }, [...seen, schema]));
  return Object.assign({}, ...inParts, schema['properties']) as JsonObject;
}
