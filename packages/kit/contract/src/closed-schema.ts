import { isObject, type JsonObject } from './json-pointer.ts';
import { objectAt, schemasOf, type Schemas } from './model/model.ts';
import { COMPOSITIONS, isAnnotation, withSubschemas } from './schema-view.ts';

/** Prefix of the ids of `closedComponents` in validators. */
const CLOSED = 'closed';

/** `schema` of `document` closed: an undeclared property is a violation. For our responses and examples only. */
export function closedSchema(schema: unknown, document: object): JsonObject {
  return close(schema, 'schemas', schemasOf(document));
}

/** The component schemas of `document` for validators: closed, and as parts of a schema that is closed as a whole. */
export function closedComponents(document: JsonObject): JsonObject {
  const schemas = Object.entries(objectAt(objectAt(document, 'components'), 'schemas'));
  const all = schemasOf(document);
  const closed = (as: As) =>
    Object.fromEntries(schemas.map(([name, schema]) => [name, close(schema, as, all)]));
  return { $id: CLOSED, schemas: closed('schemas'), parts: closed('parts'), branches: closed('branches') };
}

/** Keywords whose schemas apply to the same value as the schema around them. */
const APPLIED = ['allOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'contains'];

/** A whole schema, a part of an `allOf`, or a branch of a `oneOf` or an `anyOf`. */
type As = 'schemas' | 'parts' | 'branches';

function close(value: unknown, as: As, schemas: Schemas): JsonObject {
  if (value === false) return { not: {} };
  if (!isObject(value)) return {};
  const reference = value['$ref'];
  const isAlone = Object.keys(value).every((key) => key === '$ref' || isAnnotation(key));
  // What is next to a reference may have more properties: the whole is closed.
  const target = isAlone ? as : 'parts';
  const referred =
    typeof reference === 'string' && reference.replace('#/components/schemas', `${CLOSED}#/${target}`);
  if (referred && isAlone) return { $ref: referred };
  // A branch without constraints, or an object without properties, accepts every property.
  if (as === 'branches' && Object.keys(value).every((key) => key === 'type' || isAnnotation(key)))
    return { ...value, additionalProperties: true };
  const closed = withSubschemas(value, (child, place) => {
    if (!isObject(child) && place !== 'properties') return child;
    if (APPLIED.includes(place)) return close(child, 'parts', schemas);
    return close(child, place === 'oneOf' || place === 'anyOf' ? 'branches' : 'schemas', schemas);
  });
  if (referred) closed['$ref'] = referred;
  const isComposed = referred || COMPOSITIONS.some((key) => key in value);
  const describesObject =
    'properties' in value || (isComposed && Object.keys(schemas.possibleFieldsOf(value)).length > 0);
  // Values are also of the schemas that extend it by `allOf` (OpenAPI 3.1 §4.8.25).
  const isBase = 'discriminator' in value && !('oneOf' in value) && !('anyOf' in value);
  if (describesObject && as === 'schemas' && !isBase && !('additionalProperties' in value))
    closed['unevaluatedProperties'] = false;
  return closed;
}
