import { isObject, type JsonObject } from '../json/index.ts';
import { compositionOf, withParts } from './composition.ts';
import { objectAt } from './described.ts';
import { UNIONS } from './keywords.ts';
import { componentReference, follow, referTo } from './references.ts';

/** Fields of a base that are those of one of its alternatives. */
const OF_ONE = [...UNIONS, 'example', 'examples', 'default'];

/** Schemas may extend each other in a circle. */
const MAX_DEPTH = 16;

/**
 * `document` without circles of bases: springdoc lists, as alternatives of a base, the schemas that extend it by `allOf`.
 * They extend a component with its own keywords instead. The same document if it has no such base.
 */
export function withoutCircles<Document extends object>(document: Document): Document {
  const components = objectAt(document as JsonObject, 'components');
  const schemas = objectAt(components, 'schemas');
  const targetOf = (value: unknown) => follow(document, value)[0];
  /** The schemas of circles. */
  const members = new Set<unknown>();
  const leadsTo = (base: JsonObject, schema: unknown, depth = 0): boolean => {
    if (!isObject(schema) || depth > MAX_DEPTH) return false;
    const targets = compositionOf(schema).parts.map((part) => targetOf(part.schema));
    const isMember =
      targets.filter((target) => target === base || leadsTo(base, target, depth + 1)).length > 0;
    if (isMember) members.add(schema);
    return isMember;
  };
  /** By base, the name of a schema with its keywords alone. */
  const owns = new Map<unknown, string>();
  for (const [name, base] of Object.entries(schemas)) {
    if (!isObject(base)) continue;
    const listed = alternativesOf(base).filter((branch) => leadsTo(base, targetOf(branch)));
    if (listed.length > 0) owns.set(base, freeName(`${name}.own`, schemas));
  }
  if (owns.size === 0) return document;

  /** A schema whose parts are the own keywords of bases instead of the bases. */
  function extending(schema: unknown): unknown {
    if (!isObject(schema)) return schema;
    const changed: JsonObject = { ...schema };
    for (const { keyword, branches } of compositionOf(schema).unions)
      changed[keyword] = branches.map((branch) => extending(branch.schema));
    if (!members.has(schema)) return changed;
    const parts = compositionOf(schema).parts.map((part) => {
      const own = owns.get(targetOf(part.schema));
      return own === undefined ? extending(part.schema) : referTo(componentReference('schemas', own));
    });
    return withParts(changed, parts);
  }
  const all = Object.entries(schemas).map(([name, schema]) => [name, extending(schema)] as const);
  const own = [...owns].map(
    ([base, name]) => [name, asStandalone(withoutAlternatives(extending(base)))] as const,
  );
  return { ...document, components: { ...components, schemas: Object.fromEntries([...all, ...own]) } };
}

/** The alternatives of a schema, and of its parts. */
function alternativesOf(schema: unknown): unknown[] {
  if (!isObject(schema)) return [];
  const { parts, unions } = compositionOf(schema);
  const own = unions.flatMap(({ branches }) => branches.map((branch) => branch.schema));
  return [...own, ...parts.flatMap((part) => alternativesOf(part.schema))];
}

function withoutAlternatives(schema: unknown): JsonObject {
  if (!isObject(schema)) return {};
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !OF_ONE.includes(keyword)));
  const { parts } = compositionOf(schema);
  return parts.length === 0
    ? own
    : withParts(
        own,
        parts.map((part) => withoutAlternatives(part.schema)),
      );
}

/* Marks the own keywords of a base, which no value has alone. */
const IS_STANDALONE = 'isStandalone';

function asStandalone(schema: JsonObject): JsonObject {
  const { discriminator } = schema;
  return isObject(discriminator)
    ? { ...schema, discriminator: { ...discriminator, [IS_STANDALONE]: true } }
    : schema;
}

/** Whether a schema only has the own keywords of a base. */
export function isStandalone(schema: JsonObject): boolean {
  return objectAt(schema, 'discriminator')[IS_STANDALONE] === true;
}

/** `name`, or `name` with a number if it is taken. */
export function freeName(name: string, taken: JsonObject): string {
  let found = name;
  for (let next = 2; Object.hasOwn(taken, found); next += 1) found = `${name}${next}`;
  return found;
}
