import { isObject, type JsonObject } from '../json/index.ts';
import { isStandalone } from './bases.ts';
import { objectAt } from './described.ts';
import { UNIONS } from './keywords.ts';
import { componentReference, referenceIn } from './references.ts';
import type { Extension, Family, Schemas, TaggedBranch } from './types.ts';

/** Alternatives of a `oneOf` or an `anyOf` of which a field names the one that counts (OpenAPI 3.1 §4.8.25). */
export interface Tagged {
  readonly keyword: (typeof UNIONS)[number];
  readonly property: string;
  readonly branches: readonly TaggedBranch[];
  /** The one of them for values whose tag is missing or unknown, if there is one (OpenAPI 3.2 §4.25). */
  readonly otherwise?: TaggedBranch;
  /** Alternatives that are no objects, such as null. */
  readonly others: readonly unknown[];
}

/** The tagged alternatives of a schema itself; undefined if it has no discriminator, or a branch has no tag. */
export function taggedIn(schema: JsonObject, schemas: Schemas, depth = 0): Tagged | undefined {
  const { discriminator } = schema;
  const keyword = UNIONS.find((key) => Array.isArray(schema[key]));
  if (!isObject(discriminator) || !keyword) return undefined;
  const property = String(discriminator['propertyName']);
  const mapping = Object.entries(isObject(discriminator['mapping']) ? discriminator['mapping'] : {});
  const { defaultMapping } = discriminator;
  const all = schema[keyword] as unknown[];
  const isTagged = (branch: unknown) =>
    schemas.typesOf(branch).has('object') || schemas.typesOf(branch).size === 0;
  /** Those of alternatives of a branch that the same property tells apart. */
  const innerTags = (branch: unknown) => {
    const inner = depth > MAX_DEPTH ? undefined : taggedIn(schemas.resolve(branch), schemas, depth + 1);
    return inner?.property === property ? inner.branches.flatMap(({ tags }) => tags) : undefined;
  };
  const branches = all.filter(isTagged).map((branch): TaggedBranch => {
    const reference = referenceIn(branch);
    const name = reference?.split('/').at(-1);
    const mapped = mapping.flatMap(([tag, target]) => (target === reference || target === name ? tag : []));
    const stated = statedTags(schemas.fieldsOf(branch)[property], schemas) ?? innerTags(branch);
    return {
      tags: mapped.length > 0 ? mapped : (stated ?? (name === undefined ? [] : [name])),
      schema: branch,
    };
  });
  if (branches.some(({ tags }) => tags.length === 0)) return undefined;
  const otherwise = branches.find(({ schema: branch }) => isNamed(defaultMapping, referenceIn(branch)));
  return {
    keyword,
    property,
    branches,
    ...(otherwise && { otherwise }),
    others: all.filter((branch) => !isTagged(branch)),
  };
}

/** Whether the `defaultMapping` of a schema with alternatives names none of them. */
export function isDefaultUnknown(schema: JsonObject): boolean {
  const { defaultMapping } = objectAt(schema, 'discriminator');
  const branches = UNIONS.flatMap((key) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []));
  if (defaultMapping === undefined || branches.length === 0) return false;
  return !branches.some((branch) => isNamed(defaultMapping, referenceIn(branch)));
}

/** Whether a mapping means what a reference leads to: by its name, or by the same reference. */
function isNamed(target: unknown, reference: string | undefined): boolean {
  return target !== undefined && (target === reference || target === reference?.split('/').at(-1));
}

/** The texts that a property may have, if it lists them. */
export function statedTags(property: unknown, schemas: Schemas): string[] | undefined {
  const { const: only, enum: values } = Object.assign({}, ...schemas.partsOf(property)) as JsonObject;
  const texts = only === undefined ? values : [only];
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : undefined;
}

/** The families of a component or of a reference to it: one for each discriminator that it has or inherits. */
export function familiesOf(schema: unknown, document: JsonObject, schemas: Schemas, depth = 0): Family[] {
  const components = objectAt(objectAt(document, 'components'), 'schemas');
  const member = schemas.resolve(schema);
  const name = nameOf(member, components, schemas);
  if (name === undefined || depth > MAX_DEPTH || isStandalone(member)) return [];
  return schemas.partsOf(member).flatMap((base) => {
    if (!isBase(base)) return [];
    const { property, tagsOf, namesOf, otherwise } = discriminatorOf(base, components, schemas);
    let other: Family['otherwise'] = otherwise === name ? 'base' : undefined;
    const extensions = namesOf(member).map((extending): Extension => {
      const value = components[extending];
      const all = isObject(value) && isBase(value) ? familiesOf(value, document, schemas, depth + 1) : [];
      const extension = {
        name: extending,
        tags: tagsOf(extending),
        schema: addedTo(member, value, schemas),
        families: all.filter((family) => family.property !== property),
      };
      if (extending === otherwise) other = extension;
      return extension;
    });
    // Nothing extends the base, so its tags name no schemas.
    if (member === base && extensions.length === 0) return [];
    const others = extensions.flatMap(({ tags }) => tags);
    const all = member === base ? [...others, ...tagsOf(name)] : [...tagsOf(name), ...others];
    return [{ property, tags: [...new Set(all)], extensions, ...(other && { otherwise: other }) }];
  });
}

/** The names of the components of a document. */
const namesIn = new WeakMap<Schemas, ReadonlyMap<unknown, string>>();

/** The name of a component, the first of several. */
function nameOf(member: unknown, components: JsonObject, schemas: Schemas): string | undefined {
  const names =
    namesIn.get(schemas) ??
    new Map(
      Object.entries(components)
        .map(([name, schema]) => [schema, name] as const)
        .toReversed(),
    );
  namesIn.set(schemas, names);
  return names.get(member);
}

/** What extends the members of `families`, also of those that are bases in between. */
export function extensionsIn(families: readonly Family[]): Extension[] {
  const extensions = families.flatMap((family) => family.extensions);
  return extensions.flatMap((extension) => [extension, ...extensionsIn(extension.families)]);
}

function isBase(schema: JsonObject): boolean {
  return isObject(schema['discriminator']) && !UNIONS.some((keyword) => keyword in schema);
}

function discriminatorOf(base: JsonObject, components: JsonObject, schemas: Schemas) {
  const discriminator = objectAt(base, 'discriminator');
  const property = String(discriminator['propertyName']);
  const mapping = Object.entries(objectAt(discriminator, 'mapping'));
  const isOf = (target: unknown, name: string) =>
    target === name || target === componentReference('schemas', name);
  const mappedTo = (name: string) => mapping.flatMap(([tag, target]) => (isOf(target, name) ? tag : []));
  const addedBy = (name: string) => addedTo(base, components[name], schemas);
  /** The base between a schema and this one, which has its own tag. */
  const between = (name: string) =>
    Object.keys(components).find((other) => {
      const part = components[other];
      const isOther = isObject(part) && part !== base && other !== name && isBase(part);
      return (
        isOther && addedBy(other) !== undefined && addedTo(part, components[name], schemas) !== undefined
      );
    });

  function tagsOf(name: string): readonly string[] {
    const mapped = mappedTo(name);
    const own = components[name] === base ? base : addedBy(name);
    const stated = statedTags(schemas.fieldsOf(own)[property], schemas) ?? [];
    if (components[name] === base) return mapped.length + stated.length > 0 ? [...mapped, ...stated] : [name];
    if (mapped.length > 0) return mapped;
    const nearer = between(name);
    if (nearer !== undefined) return tagsOf(nearer);
    return stated.length > 0 ? stated : [name];
  }

  /** The components that extend `member`, but for those that the tag of a base in between names. */
  const namesOf = (member: JsonObject) =>
    Object.keys(components)
      .filter((name) => addedTo(member, components[name], schemas) !== undefined)
      .filter((name) => mappedTo(name).length > 0 || between(name) === undefined);
  const { defaultMapping } = objectAt(base, 'discriminator');
  const otherwise = Object.keys(components).find(
    (name) => defaultMapping !== undefined && isOf(defaultMapping, name),
  );
  return { property, tagsOf, namesOf, otherwise };
}

/** What `schema` adds to `base`, which it extends by `allOf`, perhaps through others; undefined if it does not. */
function addedTo(base: JsonObject, schema: unknown, schemas: Schemas, depth = 0): JsonObject | undefined {
  if (!isObject(schema) || !Array.isArray(schema['allOf']) || depth > MAX_DEPTH) return undefined;
  let isExtended = false;
  const parts = (schema['allOf'] as unknown[]).flatMap((part): unknown[] => {
    const isReference = referenceIn(part) !== undefined;
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
