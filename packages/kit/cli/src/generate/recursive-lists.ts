import { isObject, type JsonObject } from '@contract-kit/core/json';
import { componentReference, compositionOf, referenceIn } from '@contract-kit/core/model';

const PREFIX = componentReference('schemas', '');

/**
 * The lists that lead back to the component that has them, but not through a field of an object, such as those of
 * `Json: oneOf [string, list of Json]`. TypeScript allows such a type only as an interface.
 */
export function recursiveLists(schemas: JsonObject): JsonObject[] {
  const known = new Map<string, ReadonlySet<string>>();
  /** The components that a component leads to at once. */
  const nextOf = (name: string) => {
    const next = known.get(name) ?? namesIn(schemas[name]);
    known.set(name, next);
    return next;
  };
  const leads = (from: ReadonlySet<string>, to: string): boolean => {
    const seen = new Set<string>();
    const waiting = [...from];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (name === to) return true;
      if (!seen.has(name)) waiting.push(...nextOf(name));
      seen.add(name);
    }
    return false;
  };
  return Object.entries(schemas).flatMap(([name, schema]) =>
    listsIn(schema).filter((list) => leads(namesIn(list), name)),
  );
}

/** The schemas that apply to the value itself, or to its items. */
function appliedIn(schema: JsonObject): unknown[] {
  const { parts, unions } = compositionOf(schema);
  const all = [...parts, ...unions.flatMap(({ branches }) => branches)];
  return [...all.map((item) => item.schema), schema['items'], ...[schema['prefixItems'] ?? []].flat()];
}

function namesIn(schema: unknown): ReadonlySet<string> {
  if (!isObject(schema)) return new Set();
  const own = referenceIn(schema)?.replace(PREFIX, '');
  return new Set([
    ...(own === undefined ? [] : [own]),
    ...appliedIn(schema).flatMap((inner) => [...namesIn(inner)]),
  ]);
}

function listsIn(schema: unknown): JsonObject[] {
  if (!isObject(schema)) return [];
  const isList = isObject(schema['items']) && schema['prefixItems'] === undefined;
  return [...(isList ? [schema] : []), ...appliedIn(schema).flatMap(listsIn)];
}
