import { isObject, resolve, type JsonObject } from './json-pointer.ts';
import { COMPOSITIONS, withSubschemas } from './schema-view.ts';

/**
 * `schema` with its references written out and closed: a property that it does not declare is a violation. For
 * our own replies and examples only; consumers must go on to accept properties that are added later. What contains
 * itself is left a reference, to the components of `document`.
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
    if (seen.includes(reference)) return { $ref: reference };
    return close(resolve(document, reference), document, { insideComposition, seen: [...seen, reference] });
  }
  const closed = withSubschemas(value, (child, place) =>
    place === 'additionalProperties' && !isObject(child)
      ? child
      : close(child, document, { insideComposition: place === 'composition', seen }),
  );
  const describesObject = 'properties' in value || COMPOSITIONS.some((key) => key in value);
  if (describesObject && !insideComposition && !('additionalProperties' in value)) {
    closed['unevaluatedProperties'] = false;
  }
  return closed;
}
