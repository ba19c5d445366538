import { isObject, type JsonObject } from '../json/index.ts';
import { freeName } from './bases.ts';
import { compositionOf, eitherOf, withParts } from './composition.ts';
import { objectAt } from './described.ts';
import { UNIONS } from './keywords.ts';
import { componentReference, referenceIn, referTo } from './references.ts';
import { componentsIn, schemaIn, type View } from './schema-view.ts';
import { readSchemas, type Schemas } from './schemas.ts';
import { withSubschemas } from './subschemas.ts';
import { extensionsIn, statedTags, taggedIn } from './tags.ts';
import type { Extension, Family, TaggedBranch } from './types.ts';

/**
 * `schema` in one view for a validator, in which a discriminator decides: only the branch that the tag names counts, and
 * an unknown tag is a violation, unless it has a default (OpenAPI 3.2 §4.25). Branches need not exclude each other.
 */
export function decidedIn(
  view: View,
  schema: unknown,
  schemas: Schemas,
  refer?: (reference: string) => string,
): unknown {
  return unlessNull(schemaIn(view, decided(schema, schemas), { schemas, ...(refer && { refer }) }), schemas);
}

/** The component schemas in one view, as targets of references, each with the rules of its families. */
export function decidedComponents(view: View, schemas: Schemas): { readonly schemas: JsonObject } {
  const named = objectAt(objectAt(schemas.document, 'components'), 'schemas');
  const entries = Object.entries(named);
  const inFamilies = entries.filter(
    ([, schema]) => referenceIn(schema) === undefined && schemas.familiesOf(schema).length > 0,
  );
  /** The names of the same schemas without rules, by references to them: what extends a base has rules itself. */
  const bare = new Map(
    inFamilies.map(([name]) => [componentReference('schemas', name), freeName(`${name}.bare`, named)]),
  );
  const extending = (schema: unknown): unknown => {
    if (!isObject(schema)) return schema;
    const { parts } = compositionOf(schema);
    if (parts.length === 0) return schema;
    return withParts(
      schema,
      parts.map((part) => {
        const name = bare.get(referenceIn(part.schema) ?? '');
        return name === undefined ? extending(part.schema) : referTo(componentReference('schemas', name));
      }),
    );
  };
  const all = new Map(entries.map(([name, schema]) => [name, decided(schema, schemas)]));
  for (const [name, schema] of inFamilies) {
    const own = extending(decided(schema, schemas));
    all.set(name, withRules(own, schemas.familiesOf(schema), schemas));
    all.set(bare.get(componentReference('schemas', name)) ?? name, own);
  }
  const decidedSchemas = readSchemas({ components: { schemas: Object.fromEntries(all) } });
  const viewed = Object.entries(componentsIn(view, decidedSchemas).schemas);
  return {
    schemas: Object.fromEntries(viewed.map(([name, schema]) => [name, unlessNull(schema, schemas)])),
  };
}

/** `schema` with the tag stated in each branch of a discriminator, for types and for readers that know no conditions. */
export function withTags(schema: unknown, schemas: Schemas): unknown {
  if (!isObject(schema)) return schema;
  const tagged = taggedIn(schema, schemas);
  const inner = withSubschemas(schema, (child) => withTags(child, schemas));
  if (!tagged) return inner;
  const { keyword, property, branches, otherwise, others } = tagged;
  const each = branches.map((tagged) => {
    const { tags, schema: branch } = tagged;
    const plain = withTags(branch, schemas);
    // It has any tag, or none.
    if (tagged === otherwise) return plain;
    const isStated = String(statedTags(schemas.fieldsOf(branch)[property], schemas)) === String(tags);
    if (isStated && schemas.requiredOf(branch).includes(property)) return plain;
    const tag = {
      type: 'object',
      required: [property],
      properties: { [property]: { type: 'string', enum: tags } },
    };
    return withParts({}, [plain, tag]);
  });
  return { ...inner, [keyword]: [...each, ...others] };
}

/** `schema` for values of `families`: their tags are known, and each adds what it names. */
function withRules<Given>(schema: Given, families: readonly Family[], schemas: Schemas): Given | JsonObject {
  if (!isObject(schema) || families.length === 0) return schema;
  const rules = families.flatMap(({ property, tags, extensions, otherwise }) => {
    const added = (extension: Extension) =>
      withRules(decided(extension.schema, schemas), extension.families, schemas);
    return [
      otherwise === undefined
        ? { properties: { [property]: { enum: tags } } }
        : { if: isOneOf(property, tags), else: otherwise === 'base' ? {} : added(otherwise) },
      ...extensions.map((extension) => condition(property, { ...extension, schema: added(extension) })),
    ];
  });
  // First: the tags of a base are more than those of what extends it.
  return withParts(schema, [...rules, ...((schema['allOf'] ?? []) as unknown[])]);
}

/**
 * A schema without a reference at its root, with the tags of its families, and the fields that their extensions may add, for types and readers that know
 * no conditions.
 */
export function withExtensions(schema: unknown, schemas: Schemas): JsonObject {
  const families = schemas.familiesOf(schema);
  const whole = schemas.whole(schema);
  if (families.length === 0) return whole;
  const own = schemas.fieldsOf(schema);
  const fields = new Map<string, Set<unknown>>();
  for (const extension of extensionsIn(families))
    for (const [name, field] of Object.entries(schemas.fieldsOf(extension.schema)))
      if (!Object.hasOwn(own, name)) fields.set(name, (fields.get(name) ?? new Set()).add(field));
  const added = [...fields].map(([name, all]) => [
    name,
    eitherOf([...all].map((field) => withoutDefault(field, schemas))),
  ]);
  const tagged = families
    .filter(({ otherwise }) => otherwise === undefined)
    .map(({ property, tags }) => [
      property,
      { ...schemas.whole(objectAt(whole, 'properties')[property]), type: 'string', enum: tags },
    ]);
  const properties = Object.fromEntries([...added, ...tagged]) as JsonObject;
  if ('properties' in whole)
    return { ...whole, properties: { ...objectAt(whole, 'properties'), ...properties } };
  return withParts(whole, [...((whole['allOf'] ?? []) as unknown[]), { type: 'object', properties }]);
}

/** A schema without a reference at its root, with the rules of its families. */
export function wholeWithRules(schema: unknown, schemas: Schemas): JsonObject {
  return withRules(schemas.whole(schema), schemas.familiesOf(schema), schemas);
}

/** Its default is filled only in some objects. */
function withoutDefault(field: unknown, schemas: Schemas): unknown {
  if (schemas.defaultOf(field) === undefined) return field;
  const others = { ...schemas.whole(field) };
  delete others['default'];
  return others;
}

function decided(schema: unknown, schemas: Schemas): unknown {
  if (!isObject(schema)) return schema;
  const tagged = taggedIn(schema, schemas);
  const inner = withSubschemas(schema, (child) => decided(child, schemas));
  if (!tagged) return inner;
  const { keyword, property, branches, otherwise, others } = tagged;
  const { allOf = [], ...rest } = inner;
  delete rest[keyword];
  delete rest['discriminator'];
  const tags = [...new Set(branches.flatMap((branch) => branch.tags))];
  const conditions = branches.map((branch) => condition(property, branch, schemas));
  const objects = otherwise
    ? { if: isOneOf(property, tags), then: { allOf: conditions }, else: decided(otherwise.schema, schemas) }
    : { ...isOneOf(property, tags), allOf: conditions };
  const whole = {
    if: { type: 'object' },
    then: objects,
    else: others.length > 0 ? { anyOf: others } : { type: 'object' },
  };
  return { ...rest, allOf: [...(allOf as unknown[]), whole] };
}

/** `schema` with each `anyOf: [X, null]` as a condition, so that violations are those of X. */
function unlessNull(given: unknown, schemas: Schemas): unknown {
  if (!isObject(given)) return given;
  const schema = withSubschemas(given, (child) => unlessNull(child, schemas));
  const keyword = UNIONS.find((key) => Array.isArray(schema[key]));
  const branches = keyword ? (schema[keyword] as unknown[]) : [];
  const isNull = (branch: unknown) => isObject(branch) && branch['type'] === 'null';
  const [only, ...more] = branches.filter((branch) => !isNull(branch));
  if (!keyword || more.length > 0 || branches.length !== 2 || only === undefined) return schema;
  // Null would be of two branches.
  if (keyword === 'oneOf' && (schemas.typesOf(only).size === 0 || schemas.typesOf(only).has('null')))
    return schema;
  const { allOf = [], ...rest } = schema;
  delete rest[keyword];
  return { ...rest, allOf: [...(allOf as unknown[]), { if: { not: { type: 'null' } }, then: only }] };
}

function isOneOf(property: string, tags: readonly string[]): JsonObject {
  return { required: [property], properties: { [property]: { enum: tags } } };
}

function condition(property: string, { tags, schema }: TaggedBranch, schemas?: Schemas): JsonObject {
  return { if: isOneOf(property, tags), then: schemas ? decided(schema, schemas) : schema };
}
