import { isObject, type JsonObject } from '../json/index.ts';
import { isComposition, SUBSCHEMAS } from './keywords.ts';

/** `schema` with every subschema changed. Values such as examples stay. */
export function withSubschemas(
  schema: JsonObject,
  change: (child: unknown, place: string) => unknown,
): JsonObject {
  const changed: JsonObject = { ...schema };
  for (const [key, value] of Object.entries(schema)) {
    if (SUBSCHEMAS.single.includes(key)) changed[key] = change(value, key);
    else if (SUBSCHEMAS.list.includes(key) && Array.isArray(value))
      changed[key] = value.map((part) => change(part, key));
    else if (SUBSCHEMAS.map.includes(key) && isObject(value))
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

/**
 * An object with every property changed, also those of its parts and alternatives. `whole` gives each of them without a
 * reference at its root.
 */
export function withProperties(
  given: unknown,
  whole: (schema: JsonObject) => JsonObject,
  change: (property: unknown) => unknown,
): unknown {
  if (!isObject(given)) return given;
  return withSubschemas(whole(given), (child, place) => {
    if (place === 'then' || isComposition(place)) return withProperties(child, whole, change);
    return place === 'properties' ? change(child) : child;
  });
}
