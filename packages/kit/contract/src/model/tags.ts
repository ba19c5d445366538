import { isObject, type JsonObject } from '../json-pointer.ts';
import type { Schemas } from './schemas.ts';

/** An alternative, and the values of the tag that name it. */
export interface TaggedBranch {
  readonly tags: readonly string[];
  readonly schema: unknown;
}

/** Alternatives of a `oneOf` or an `anyOf` of which a field names the one that counts (OpenAPI 3.1 §4.8.25). */
export interface Tagged {
  readonly keyword: 'oneOf' | 'anyOf';
  readonly property: string;
  readonly branches: readonly TaggedBranch[];
  /** Alternatives that are no objects, such as null. */
  readonly others: readonly unknown[];
}

/** The tagged alternatives of a schema itself; undefined if it has no discriminator, or a branch has no tag. */
export function taggedIn(schema: JsonObject, schemas: Schemas): Tagged | undefined {
  const { discriminator } = schema;
  const keyword = (['oneOf', 'anyOf'] as const).find((key) => Array.isArray(schema[key]));
  if (!isObject(discriminator) || !keyword) return undefined;
  const property = String(discriminator['propertyName']);
  const mapping = Object.entries(isObject(discriminator['mapping']) ? discriminator['mapping'] : {});
  const all = schema[keyword] as unknown[];
  const isTagged = (branch: unknown) =>
    schemas.typesOf(branch).has('object') || schemas.typesOf(branch).size === 0;
  const branches = all.filter(isTagged).map((branch): TaggedBranch => {
    const reference = isObject(branch) ? branch['$ref'] : undefined;
    const name = typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
    const mapped = mapping.flatMap(([tag, target]) => (target === reference || target === name ? tag : []));
    const stated = statedTags(schemas.fieldsOf(branch)[property], schemas);
    return {
      tags: mapped.length > 0 ? mapped : (stated ?? (name === undefined ? [] : [name])),
      schema: branch,
    };
  });
  if (branches.some(({ tags }) => tags.length === 0)) return undefined;
  return { keyword, property, branches, others: all.filter((branch) => !isTagged(branch)) };
}

/** The texts that a property may have, if it lists them. */
export function statedTags(property: unknown, schemas: Schemas): string[] | undefined {
  const { const: only, enum: values } = Object.assign({}, ...schemas.partsOf(property)) as JsonObject;
  const texts = only === undefined ? values : [only];
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : undefined;
}

/** What the schemas that extend `name` by `allOf` add, each by its tags, if it is a base with a discriminator. */
export function extensionsOf(
  name: string,
  document: JsonObject,
  schemas: Schemas,
): (TaggedBranch & { property: string })[] {
  const components = isObject(document['components']) ? document['components']['schemas'] : undefined;
  if (!isObject(components)) return [];
  const base = components[name];
  const discriminator = isObject(base) ? base['discriminator'] : undefined;
  if (!isObject(base) || !isObject(discriminator) || 'oneOf' in base || 'anyOf' in base) return [];
  const mapping = Object.entries(isObject(discriminator['mapping']) ? discriminator['mapping'] : {});
  return Object.entries(components).flatMap(([child, schema]) => {
    const added = addedTo(base, schema, schemas);
    if (child === name || !added) return [];
    const mapped = mapping.flatMap(([tag, target]) =>
      target === child || target === `#/components/schemas/${child}` ? tag : [],
    );
    const property = String(discriminator['propertyName']);
    const stated = statedTags(schemas.fieldsOf(added)[property], schemas);
    return [{ property, tags: mapped.length > 0 ? mapped : (stated ?? [child]), schema: added }];
  });
}

/** What `schema` adds to `base`, which it extends by `allOf`, perhaps through others; undefined if it does not. */
function addedTo(base: JsonObject, schema: unknown, schemas: Schemas, depth = 0): JsonObject | undefined {
  if (!isObject(schema) || !Array.isArray(schema['allOf']) || depth > MAX_DEPTH) return undefined;
  let isExtended = false;
  const parts = (schema['allOf'] as unknown[]).flatMap((part): unknown[] => {
    const isReference = isObject(part) && '$ref' in part;
    const target = schemas.resolve(part);
    const inner = isReference && target !== base ? addedTo(base, target, schemas, depth + 1) : undefined;
    isExtended ||= (isReference && target === base) || inner !== undefined;
    return isReference && target === base ? [] : [inner ?? part];
  });
  if (!isExtended) return undefined;
  const added: JsonObject = { ...schema, allOf: parts };
  if (parts.length === 0) delete added['allOf'];
  return added;
}

/** Schemas may extend each other in a circle. */
const MAX_DEPTH = 16;
