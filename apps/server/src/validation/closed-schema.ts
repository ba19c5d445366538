import { isObject, resolve, type JsonObject } from '@petstore/contract/json-pointer';

const NESTING = ['allOf', 'anyOf', 'oneOf'];

/**
 * `schema` with its references written out and closed: a property that it does not declare is a violation. For
 * checking our own replies only; consumers must go on to accept properties that are added later.
 */
export function closedSchema(schema: unknown, document: JsonObject): JsonObject {
  return close(schema, document, { insideComposition: false, seen: [] });
}

function close(
  value: unknown,
  document: JsonObject,
  { insideComposition, seen }: { insideComposition: boolean; seen: readonly string[] },
): JsonObject {
  if (value === false) return { not: {} };
  if (!isObject(value)) return {};
  const reference = value['$ref'];
  if (typeof reference === 'string') {
    // A schema that contains itself is checked open from there on.
    if (seen.includes(reference)) return {};
    return close(resolve(document, reference), document, { insideComposition, seen: [...seen, reference] });
  }
  const closed: JsonObject = { ...value };
  const inside = (child: unknown) => close(child, document, { insideComposition: false, seen });
  if (isObject(value['properties'])) {
    closed['properties'] = Object.fromEntries(
      Object.entries(value['properties']).map(([name, property]) => [name, inside(property)]),
    );
  }
  for (const key of ['items', 'additionalProperties']) {
    if (isObject(value[key])) closed[key] = inside(value[key]);
  }
  for (const key of NESTING) {
    const parts = value[key];
    if (Array.isArray(parts)) {
      closed[key] = parts.map((part) => close(part, document, { insideComposition: true, seen }));
    }
  }
  const describesObject = 'properties' in value || NESTING.some((key) => key in value);
  if (describesObject && !insideComposition && !('additionalProperties' in value)) {
    closed['unevaluatedProperties'] = false;
  }
  return closed;
}
