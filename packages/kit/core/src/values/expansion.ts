import { isObject, resolve, type JsonObject } from '../json/index.ts';
import {
  compositionOf,
  eitherOf,
  withParts,
  type Extension,
  type Family,
  type Schemas,
  taggedIn,
} from '../model/index.ts';

/** Schemas that all hold, and alternatives that are not chosen yet. */
export interface Expanded {
  readonly parts: readonly Part[];
  readonly unions: readonly OpenChoice[];
  readonly seen: ReadonlySet<unknown>;
}
export interface Part {
  readonly keywords: JsonObject;
  /** The schemas that lead to it, with its own. */
  readonly path: readonly unknown[];
}
export interface OpenChoice {
  readonly alternatives: readonly Alternative[];
  readonly path: readonly unknown[];
}
export type Alternative = readonly unknown[];
/** Nothing holds yet. */
export const NOTHING_EXPANDED: Expanded = { parts: [], unions: [], seen: new Set() };

/** Takes schemas apart, through references and compositions, into keywords that all hold and alternatives. */
export function createExpansion(schemas: Schemas) {
  /** What holds with `given` besides; undefined if that excludes every value. `admits` bounds schemas that contain themselves. */
  function expand(
    of: Expanded,
    given: readonly unknown[],
    admits: (schema: JsonObject) => boolean,
    from: readonly unknown[] = [],
  ): Expanded | undefined {
    const parts = [...of.parts];
    const unions = [...of.unions];
    const seen = new Set(of.seen);
    const add = (schema: unknown, before: readonly unknown[]): boolean => {
      if (schema === false) return false;
      if (!isObject(schema) || seen.has(schema)) return true;
      seen.add(schema);
      if (!admits(schema)) return false;
      const path = [...before, schema];
      const { reference, parts: inner, unions: own, own: keywords } = compositionOf(schema);
      if (reference !== undefined) {
        const target = resolve(schemas.document, reference);
        if (!add(target, path)) return false;
      }
      if (!inner.every((part) => add(part.schema, path))) return false;
      parts.push({ keywords, path });
      const tagged = taggedIn(schema, schemas);
      for (const { keyword, branches } of own)
        unions.push({
          path,
          alternatives:
            tagged?.keyword === keyword
              ? [
                  ...tagged.branches.map(({ tags, schema: branch }) => [
                    branch,
                    tagSchema(tagged.property, tags),
                  ]),
                  ...tagged.others.map((other) => [other]),
                ]
              : nullLast(branches.map((branch) => branch.schema)).map((branch) => [branch]),
        });
      unions.push(...conditionsOf(keywords).map((alternatives) => ({ path, alternatives })));
      return true;
    };
    if (!given.every((schema) => add(schema, from))) return undefined;
    for (const schema of given)
      for (const family of nearestFamilies(schema))
        unions.push({ path: [...from, ...chainOf(schema)], alternatives: extensionsOf(family) });
    return { parts, unions, seen };
  }

  /** Whether nothing but null fits. */
  const isNull = (schema: unknown) => [...schemas.typesOf(schema)].join() === 'null';
  const nullLast = (branches: readonly unknown[]) => [
    ...branches.filter((branch) => !isNull(branch)),
    ...branches.filter(isNull),
  ];

  /** The families of a component, or of the parts of another schema: of those with the same tag, the nearest. */
  function nearestFamilies(given: unknown): Family[] {
    if (!isObject(given)) return [];
    const own = schemas.familiesOf(given);
    const all = own.length > 0 ? own : schemas.partsOf(given).flatMap((part) => schemas.familiesOf(part));
    return [...new Map(all.map((family) => [family.property, family])).values()];
  }

  /** An alternative for each tag, with what the extension adds that it names. */
  function extensionsOf({ property, tags, extensions }: Family): Alternative[] {
    return tags.map((tag) => {
      const named = extensions.find((extension) => extension.tags.includes(tag));
      return [tagSchema(property, [tag]), ...(named ? addedBy(named) : [])];
    });
  }
  const addedBy = ({ schema, families }: Extension): unknown[] => [
    schema,
    ...families.map((family) => eitherOf(extensionsOf(family).map((all) => withParts({}, all)))),
  ];

  /** A schema, and those that it refers to, which are the same. */
  function chainOf(given: unknown, seen: readonly unknown[] = []): JsonObject[] {
    if (!isObject(given) || seen.includes(given)) return [];
    const { reference } = compositionOf(given);
    const target = reference === undefined ? undefined : resolve(schemas.document, reference);
    return [given, ...chainOf(target, [...seen, given])];
  }

  return { expand, chainOf, isNull };
}

/** Alternatives that a condition leaves. */
function conditionsOf(schema: JsonObject): Alternative[][] {
  const { if: condition, then = {}, else: otherwise = {}, dependentSchemas } = schema;
  const conditions = condition === undefined ? [] : [[[condition, then], [otherwise]]];
  const dependent = Object.entries(isObject(dependentSchemas) ? dependentSchemas : {}).map(
    ([name, added]): Alternative[] => [
      [{ properties: { [name]: false } }],
      [{ type: 'object', required: [name] }, added],
    ],
  );
  return [...conditions, ...dependent];
}

function tagSchema(property: string, tags: readonly string[]): JsonObject {
  return { type: 'object', required: [property], properties: { [property]: { enum: tags } } };
}
