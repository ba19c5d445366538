import { isDeepStrictEqual } from 'node:util';
import { isObject, type Pointer } from '@contract-kit/core/json';
import { compositionOf, isAnnotation, type Union } from '@contract-kit/core/model';
import { allowedTypes, type Keywords } from './constraints.ts';
import { child, resolved, type Part } from './change.ts';

/** A schema with its references and parts written out: one level, whose children are schemas again. */
export interface Shape {
  /** Where it is written, the whole of it first. */
  readonly parts: Schema;
  readonly keywords: Keywords;
  /** By their names in messages: `.name`, `[]` for the items of a list, `{}` for the values of a map. */
  readonly children: ReadonlyMap<string, Schema>;
  readonly required: readonly string[];
  /** The alternatives, without null. */
  readonly branches: readonly Schema[] | undefined;
  readonly union: Union | undefined;
  readonly isNullable: boolean;
}

/** All schemas that apply to one value: itself, and its parts. */
export type Schema = readonly [Part, ...Part[]];

/** Keywords of the fields that a schema does not name. */
export const OTHERS = ['additionalProperties', 'unevaluatedProperties'];
const STRUCTURE = ['properties', 'required', 'items', ...OTHERS];

export function shapeOf(schema: Schema): Shape {
  const all = schema.flatMap(writtenOut);
  const parts = all.map(({ part }) => part);
  const unions = all.flatMap((written) => written.unions);
  const children = new Map<string, Schema>();
  const add = (part: Part, steps: Pointer, way: string) => {
    const added = child(part, steps, way);
    const known = children.get(way);
    children.set(way, known ? [...known, added] : [added]);
  };
  for (const part of parts) {
    for (const name of Object.keys(part.value['properties'] ?? {}))
      add(part, ['properties', name], `.${name}`);
    if (typeof part.value['items'] === 'object') add(part, ['items'], '[]');
    for (const keyword of OTHERS) if (typeof part.value[keyword] === 'object') add(part, [keyword], '{}');
  }
  // An object without properties is a map. One with properties only allows others.
  if (children.size === 0 && OTHERS.some((keyword) => child(schema[0], [keyword]).value === true))
    children.set('{}', [anything(schema[0], '{}')]);
  const whole = parts.map(({ value }) => value).reduce(combined, {});
  const keywords: Keywords = Object.fromEntries(
    Object.entries(whole).filter(([name, value]) => !STRUCTURE.includes(name) || value === false),
  );
  const branches = combinations(unions.map((union) => union.parts));
  const isNull = ([part, ...others]: Schema) => others.length === 0 && child(part, ['type']).value === 'null';
  const allowsNull =
    keywords.enum && !keywords.enum.includes(null) ? false : allowedTypes(keywords)?.includes('null');
  return {
    parts: parts.length > 0 ? (parts as [Part, ...Part[]]) : [schema[0]],
    keywords,
    children,
    required: parts.flatMap(({ value }) => value.required ?? []),
    branches: branches?.filter((branch) => !isNull(branch)),
    union: unions.find(({ isExclusive }) => isExclusive) ?? unions[0],
    isNullable: allowsNull ?? branches?.some((branch) => shapeOf(branch).isNullable) ?? false,
  };
}

/** The schema that allows every value, for one that is missing below `parent`. */
export function anything(parent: Part, way: string): Part {
  return { ...child(parent, [], way), value: {} };
}

/** One of the schemas that apply to a value, and its alternatives. */
interface Written {
  readonly part: Part & { readonly value: Keywords };
  readonly unions: readonly (Union & { readonly parts: readonly Part[] })[];
}

/** The schema itself, the one it refers to, and those that hold together with it. */
function writtenOut(part: Part): Written[] {
  // No value is valid.
  if (part.value === false) return [{ part: { ...part, value: { not: {} } }, unions: [] }];
  if (!isObject(part.value)) return [];
  const { reference, parts, unions, own } = compositionOf(part.value);
  const placed = unions.map((union) => ({
    ...union,
    parts: union.branches.map(({ steps }) => child(part, steps)),
  }));
  const alternatives = placed.flatMap((union) => union.parts);
  // Each alternative states its own.
  const isTyped = (item: Part) => child(resolved(item), ['type']).value !== undefined;
  if (alternatives.length > 0 && alternatives.every(isTyped)) delete own['type'];
  return [
    { part: { ...part, value: own }, unions: placed },
    ...(reference === undefined ? [] : writtenOut(resolved(part))),
    ...parts.flatMap(({ steps }) => writtenOut(child(part, steps))),
  ];
}

/** The combined keywords of two parts: both hold. */
function combined(whole: Keywords, part: Keywords): Keywords {
  const shared = Object.keys(part).filter((name) => name in whole);
  const both = (name: string): unknown => {
    const [one, other] = [whole[name], part[name]];
    if (/^(exclusiveM|m)in/.test(name)) return Math.max(Number(one), Number(other));
    if (/^(exclusiveM|m)ax/.test(name)) return Math.min(Number(one), Number(other));
    if (name === 'enum') return whole.enum?.filter((value) => part.enum?.includes(value));
    if (isDeepStrictEqual(one, other) || isAnnotation(name) || name === 'default') return one;
    if (name === 'type') return bothTypes(allowedTypes(whole) ?? [], allowedTypes(part) ?? []);
    if (STRUCTURE.includes(name)) return one === false ? one : other;
    if (name === 'pattern') return `${String(one)} and ${String(other)}`;
    return [one, other];
  };
  return { ...whole, ...part, ...Object.fromEntries(shared.map((name) => [name, both(name)])) };
}

/** Integers are numbers. */
function bothTypes(one: string[], other: string[]): string[] {
  const isIn = (types: string[]) => (type: string) =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return [...new Set([...one.filter(isIn(other)), ...other.filter(isIn(one))])];
}

/** Of each union one alternative holds: every combination is a branch. */
function combinations([first, ...others]: readonly (readonly Part[])[]): Schema[] | undefined {
  return others.reduce<Schema[] | undefined>(
    (branches, union) => branches?.flatMap((branch) => union.map((part): Schema => [...branch, part])),
    first?.map((part): Schema => [part]),
  );
}
