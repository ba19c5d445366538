import {
  ALL_OF,
  compositionOf,
  COMPOSITIONS,
  consequencesOf,
  eitherOf,
  isComposed,
  referenceIn,
  UNIONS,
  withParts,
  withReferenceAsPart,
  withSubschemas,
  withUnionAsPart,
  type Schemas,
} from '@contract-kit/core/model';
import { isObject, type JsonObject } from '@contract-kit/core/json';
import type { Json } from '@contract-kit/core/openapi';
import { typesOf } from '../support/rule.ts';

/** Follows a name that every object inherits, which openapi-typescript would find in its own tables. */
export const INHERITED = ' of every object';

const distinctName = (name: string) => (name in Object.prototype ? name + INHERITED : name);

export const withDistinctNames = (values: object): Json =>
  Object.fromEntries(Object.entries<Json>(values).map(([name, value]) => [distinctName(name), value]));

/** Placeholder for a member that every object inherits, before its name. */
export const MEMBER = 'member of every object: ';

/** The names of the members that TypeScript knows. */
const MEMBERS = [
  ...['constructor', 'hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable'],
  ...['toLocaleString', 'toString', 'valueOf'],
];

/** The schema of a field that may be missing: TypeScript then finds an inherited member of its name, such as `toString`. */
export const optional = (name: string, schema: Json): Json =>
  MEMBERS.includes(name) ? eitherOf([schema, { format: MEMBER + name }]) : schema;

/** Keywords that change a type. */
const SHAPING = ['properties', 'required', ...COMPOSITIONS, 'enum', 'const'];

/** `schema` in a form that openapi-typescript understands. */
export function forCompiler(schema: unknown, schemas: Schemas, isPart = false): Json {
  if (!isObject(schema)) return schema;
  // openapi-typescript ignores what is next to a reference.
  const reference = referenceIn(schema);
  if (reference && SHAPING.some((keyword) => keyword in schema))
    return forCompiler(withReferenceAsPart(schema), schemas, isPart);
  const { patternProperties, unevaluatedProperties, ...known } = schema;
  // Its type would have the definitions as fields.
  if (reference?.includes('/$defs/')) return {};
  delete known['$defs'];
  // openapi-typescript does not know it.
  if (unevaluatedProperties !== undefined) known['additionalProperties'] ??= unevaluatedProperties;
  // openapi-typescript takes the properties next to an `anyOf` for one more alternative.
  const apart = withUnionAsPart(known, SHAPING);
  const plain: Json = withSubschemas(apart, (child, place) => forCompiler(child, schemas, place === ALL_OF));
  if (plain.properties) {
    const typed = Object.entries<Json>(plain.properties).map(([name, child]) => [
      name,
      plain.required?.includes(name) ? child : optional(name, child),
    ]);
    plain.properties = withDistinctNames(Object.fromEntries(typed));
  }
  if (plain.required) plain.required = plain.required.map(distinctName);
  // An index signature must include the types of all fields, also of those that are described elsewhere.
  const hasFields = 'properties' in plain || isComposed(plain);
  if (patternProperties ?? (hasFields && isObject(plain['additionalProperties'])))
    plain['additionalProperties'] = true;
  // The mapping names schemas of responses; the branches state their tags.
  delete plain['discriminator'];
  // It would type an object of any properties as one without. If its parts have properties, they say which.
  if (isAnyObject(plain)) {
    const { parts } = compositionOf(plain);
    if (
      parts.some(
        (part) => isComposed(part.schema as JsonObject) || 'properties' in (part.schema as JsonObject),
      )
    )
      delete plain['type'];
    else plain['additionalProperties'] = true;
  }
  // It does not know conditions. Another part may say more of a field.
  const names = consequencesOf(schema).flatMap((child) => Object.keys(schemas.possibleFieldsOf(child)));
  if (
    names.length > 0 &&
    plain['additionalProperties'] !== true &&
    (isPart || typesOf(plain).includes('object'))
  )
    plain.properties = {
      ...withDistinctNames(Object.fromEntries(names.map((name) => [name, {}]))),
      ...plain.properties,
    };
  // Each branch repeats the type.
  if (UNIONS.some((keyword) => plain[keyword])) delete plain['type'];
  // openapi-typescript takes the values of an object for schemas.
  if (plain['properties']) delete plain['enum'];
  // It would type this as unknown.
  if (plain['const'] === null) return { type: 'null' };
  return withRequiredOfParts(plain);
}

function isAnyObject(schema: JsonObject): boolean {
  const isEmpty = !isObject(schema['properties']) || Object.keys(schema['properties']).length === 0;
  return typesOf(schema).includes('object') && isEmpty && !('additionalProperties' in schema);
}

/** For openapi-typescript, which ignores fields that a part requires of the others. */
function withRequiredOfParts(schema: JsonObject): JsonObject {
  const parts = compositionOf(schema).parts.map((part): Json => part.schema);
  if (parts.length === 0) return schema;
  const required = [schema, ...parts].flatMap((part: Json) => part?.required ?? []);
  // A part with only `required` would become an empty object type.
  const others = parts.filter(
    (part: Json) =>
      !typesOf(part).includes('object') || Object.keys(part).some((key) => !/^(type|required)$/.test(key)),
  );
  return { ...withParts(schema, others), required: [...new Set(required)] };
}
