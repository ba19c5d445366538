import type { Contract, Json } from '../../contract.ts';
import { typesOf } from './constraints.ts';
import type { Located } from './words.ts';

/** A schema with its references and `allOf` written out. */
export interface Shape {
  readonly keywords: Json;
  readonly properties: Readonly<Record<string, Located>>;
  readonly required: readonly string[];
  readonly items: Located | undefined;
  /** What a map has under any name. To let other fields through makes no map of what has fields. */
  readonly additionalProperties: Located | undefined;
  /** Of `oneOf` and `anyOf`, without null. */
  readonly branches: readonly Located[] | undefined;
  readonly union: 'oneOf' | 'anyOf' | undefined;
  readonly isNullable: boolean;
}

/** What a shape holds apart from its keywords. */
const STRUCTURE = ['properties', 'required', 'items', 'additionalProperties', 'oneOf', 'anyOf'];

export function shapeOf(contract: Contract, located: Located): Shape {
  const parts = partsOf(contract, located);
  const properties: Record<string, Located> = {};
  for (const { value, pointer } of parts) {
    for (const [name, schema] of Object.entries<Json>(value.properties ?? {})) {
      const known = properties[name];
      const at = [...pointer, 'properties', name];
      properties[name] = together([
        ...(known ? (known.parts ?? [known]) : []),
        { value: schema, pointer: at },
      ]);
    }
  }
  const owners = (name: string) =>
    parts
      .filter(({ value }) => typeof value[name] === 'object')
      .map(({ value, pointer }): Located => ({ value: value[name], pointer: [...pointer, name] }));
  const child = (name: string): Located | undefined => {
    const found = owners(name);
    return found.length > 0 ? together(found) : undefined;
  };
  const isAnyMap = Object.keys(properties).length === 0 && located.value?.additionalProperties === true;
  const anything = { value: {}, pointer: [...located.pointer, 'additionalProperties'] };
  const whole = parts
    .map(({ value }) => value)
    .reduce((known, part) => ({ ...known, ...part, ...tightened(known, part) }), {});
  const keywords = Object.fromEntries(
    Object.entries<Json>(whole).filter(([name, value]) => !STRUCTURE.includes(name) || value === false),
  );
  const union = (['oneOf', 'anyOf'] as const).find((each) => whole[each]);
  // Of each union in a part of an allOf, one branch holds.
  const branches = [...owners('oneOf'), ...owners('anyOf')]
    .map(({ value, pointer }) =>
      value.map((each: Json, index: number): Located => ({ value: each, pointer: [...pointer, index] })),
    )
    .reduce<Located[] | undefined>(
      (all, alternatives: Located[]) =>
        all?.flatMap((each) => alternatives.map((other) => together([...(each.parts ?? [each]), other]))) ??
        alternatives,
      undefined,
    );
  const isNull = ({ value }: Located) => contract.resolve(value)?.type === 'null';
  return {
    keywords,
    properties,
    required: parts.flatMap(({ value }) => value.required ?? []),
    items: child('items'),
    additionalProperties: isAnyMap ? anything : child('additionalProperties'),
    branches: branches?.filter((branch: Located) => !isNull(branch)),
    union,
    isNullable:
      ((keywords.enum?.includes(null) ?? true) ? typesOf(keywords)?.includes('null') : false) ??
      branches?.some((branch: Located) => shapeOf(contract, branch).isNullable) ??
      false,
  };
}

/** The keywords that both parts of a whole have, as they hold at once. What is said first, is said of the whole. */
function tightened(whole: Json, part: Json): Json {
  const shared = Object.keys(part).filter((name) => name in whole);
  return Object.fromEntries(
    shared.map((name) => {
      const [one, other] = [whole[name], part[name]];
      if (/^(exclusiveM|m)in/.test(name)) return [name, Math.max(one, other)];
      if (/^(exclusiveM|m)ax/.test(name)) return [name, Math.min(one, other)];
      if (name === 'enum') return [name, one.filter((value: Json) => other.includes(value))];
      if (name === 'pattern' && one !== other) return [name, `${one} and ${other}`];
      return [name, one];
    }),
  );
}

/** What several parts of a whole say of the same, each where it is written. */
function together(parts: readonly Located[]): Located {
  const [only, ...others] = parts as [Located, ...Located[]];
  if (others.length === 0) return only;
  return { value: { allOf: parts.map(({ value }) => value) }, pointer: only.pointer, parts };
}

/** What holds all at once: the schema itself, what it refers to, and what is in its `allOf`. */
export function partsOf(contract: Contract, { value, pointer, parts: apart }: Located): Located[] {
  if (apart) return apart.flatMap((part) => partsOf(contract, part));
  if (typeof value !== 'object' || value === null) return [];
  const { $ref, allOf = [], ...own } = value;
  // It is that of each branch.
  if (own.oneOf ?? own.anyOf) delete own.type;
  const parts: Located[] = [{ value: own, pointer }];
  if ($ref) parts.push(...partsOf(contract, { value: contract.resolve({ $ref }), pointer }));
  for (const [index, part] of allOf.entries())
    parts.push(...partsOf(contract, { value: part, pointer: [...pointer, 'allOf', index] }));
  return parts;
}
