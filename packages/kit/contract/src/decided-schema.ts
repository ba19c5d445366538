import { isObject, type JsonObject } from './json-pointer.ts';
import { objectAt, schemasOf, type Schemas } from './model/model.ts';
import { extensionsOf, statedTags, taggedIn, type TaggedBranch } from './model/tags.ts';
import { componentsIn, schemaIn, withSubschemas, type View } from './schema-view.ts';

/**
 * `schema` in one view for a validator, in which a discriminator decides: only the branch that the tag names counts, and
 * an unknown tag is a violation (OpenAPI 3.1 §4.8.25). Branches need not exclude each other.
 */
export function decidedIn(
  view: View,
  schema: unknown,
  document: JsonObject,
  refer?: (reference: string) => string,
): unknown {
  const schemas = schemasOf(document);
  return unlessNull(schemaIn(view, decided(schema, schemas), { schemas, ...(refer && { refer }) }), schemas);
}

/** The component schemas in one view, as targets of references. A base also holds what its tags add. */
export function decidedComponents(view: View, document: JsonObject): { readonly schemas: JsonObject } {
  const schemas = schemasOf(document);
  const { components } = document;
  const named = isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};
  const all = Object.entries(named).map(([name, schema]) => {
    const added = extensionsOf(name, document, schemas).map((branch) => condition(branch.property, branch));
    const whole = decided(schema, schemas);
    if (added.length === 0 || !isObject(whole)) return [name, whole];
    return [name, { ...whole, allOf: [...((whole['allOf'] ?? []) as unknown[]), ...added] }];
  });
  const decidedDocument = { components: { schemas: Object.fromEntries(all) as JsonObject } };
  const viewed = Object.entries(componentsIn(view, decidedDocument).schemas);
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
  const { keyword, property, branches, others } = tagged;
  const each = branches.map(({ tags, schema: branch }) => {
    const plain = withTags(branch, schemas);
    const isStated = String(statedTags(schemas.fieldsOf(branch)[property], schemas)) === String(tags);
    if (isStated && schemas.requiredOf(branch).includes(property)) return plain;
    const tag = {
      type: 'object',
      required: [property],
      properties: { [property]: { type: 'string', enum: tags } },
    };
    return { allOf: [plain, tag] };
  });
  return { ...inner, [keyword]: [...each, ...others] };
}

/** The component `name`, with the fields that its extensions may add, for types and readers that know no conditions. */
export function withExtensions(name: string, document: JsonObject): unknown {
  const schemas = schemasOf(document);
  const schema = objectAt(objectAt(document, 'components'), 'schemas')[name];
  const added = new Map<string, unknown[]>();
  for (const extension of extensionsOf(name, document, schemas))
    for (const [field, value] of Object.entries(schemas.fieldsOf(extension.schema)))
      added.set(field, [...(added.get(field) ?? []), withoutDefault(value, schemas)]);
  if (!isObject(schema) || added.size === 0) return schema;
  const own = objectAt(schema, 'properties');
  const fields = [...added]
    .filter(([field]) => !Object.hasOwn(own, field))
    .map(([field, all]): [string, unknown] => [field, all.length > 1 ? { anyOf: all } : all[0]]);
  return { ...schema, properties: { ...own, ...Object.fromEntries(fields) } };
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
  const { keyword, property, branches, others } = tagged;
  const { allOf = [], ...rest } = inner;
  delete rest[keyword];
  delete rest['discriminator'];
  const tags = branches.flatMap((branch) => branch.tags);
  const objects = {
    required: [property],
    properties: { [property]: { enum: [...new Set(tags)] } },
    allOf: branches.map((branch) => condition(property, branch, schemas)),
  };
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
  const keyword = (['anyOf', 'oneOf'] as const).find((key) => Array.isArray(schema[key]));
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

function condition(property: string, { tags, schema }: TaggedBranch, schemas?: Schemas): JsonObject {
  const isTag = { required: [property], properties: { [property]: { enum: tags } } };
  return { if: isTag, then: schemas ? decided(schema, schemas) : schema };
}
