import { isObject, type JsonObject } from '../json/index.ts';
import { componentId } from './component-ids.ts';
import { isComposed } from './composition.ts';
import { objectAt } from './described.ts';
import { ALL_OF, CONDITIONS, isAnnotation, isUnion, UNIONS } from './keywords.ts';
import { REFERENCE, referenceIn, referTo } from './references.ts';
import type { Schemas } from './schemas.ts';
import { withSubschemas } from './subschemas.ts';

/** `schema` closed: an undeclared property is a violation. For our responses and examples only. */
export function closedSchema(schema: unknown, schemas: Schemas): JsonObject {
  return close(schema, 'schemas', schemas);
}

/**
 * The component schemas of a document for validators, by their ids: closed, and as parts of a schema that is closed as a
 * whole.
 */
export function closedComponents(schemas: Schemas): Readonly<Record<string, JsonObject>> {
  const named = Object.entries(objectAt(objectAt(schemas.document, 'components'), 'schemas'));
  const uses: readonly As[] = ['schemas', 'parts', 'branches'];
  return Object.fromEntries(
    uses.flatMap((as) =>
      named.map(([name, schema]) => [componentId(name, as), close(schema, as, schemas)] as const),
    ),
  );
}

/** Keywords whose schemas apply to the same value as the schema around them. */
const APPLIED = [ALL_OF, ...CONDITIONS];

/** A whole schema, a part of an `allOf`, or a branch of a `oneOf` or an `anyOf`. */
type As = 'schemas' | 'parts' | 'branches';

function close(value: unknown, as: As, schemas: Schemas): JsonObject {
  if (value === false) return { not: {} };
  if (!isObject(value)) return {};
  const isAlone = Object.keys(value).every((key) => key === REFERENCE || isAnnotation(key));
  // What is next to a reference may have more properties: the whole is closed.
  const target = isAlone ? as : 'parts';
  const reference = referenceIn(value);
  const referred = reference === undefined ? undefined : componentId(reference, target);
  if (referred && isAlone) return referTo(referred);
  // A branch without constraints, or an object without properties, accepts every property.
  if (as === 'branches' && Object.keys(value).every((key) => key === 'type' || isAnnotation(key)))
    return { ...value, additionalProperties: true };
  const closed = withSubschemas(value, (child, place) => {
    if (!isObject(child) && place !== 'properties') return child;
    if (APPLIED.includes(place)) return close(child, 'parts', schemas);
    return close(child, isUnion(place) ? 'branches' : 'schemas', schemas);
  });
  if (referred) closed[REFERENCE] = referred;
  const describesObject =
    'properties' in value || (isComposed(value) && Object.keys(schemas.possibleFieldsOf(value)).length > 0);
  // Values are also of the schemas that extend it by `allOf` (OpenAPI 3.1 §4.8.25).
  const isBase = 'discriminator' in value && !UNIONS.some((key) => key in value);
  const isDecided = 'additionalProperties' in value || 'unevaluatedProperties' in value;
  if (describesObject && as === 'schemas' && !isBase && !isDecided) closed['unevaluatedProperties'] = false;
  return closed;
}
