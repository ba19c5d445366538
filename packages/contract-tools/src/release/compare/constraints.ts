import { isAnnotation as asksNothing } from '@petstore/contract/schema-view';
import type { Json } from '../../contract.ts';

/** What a schema lets through, compared with what it let through before. */
export type Relation = 'narrower' | 'wider' | 'other';

export interface Constraint {
  readonly keywords: readonly string[];
  /** How what `after` allows lies to what `before` allows; undefined where it is the same. */
  readonly relation: (before: Json, after: Json) => Relation | undefined;
}

function relationOf(isWithinBefore: boolean, isWithinAfter: boolean): Relation | undefined {
  if (isWithinBefore && isWithinAfter) return undefined;
  if (isWithinBefore) return 'narrower';
  return isWithinAfter ? 'wider' : 'other';
}

/** Undefined stands for all types; a `const` is of its own. */
export function typesOf({ type, const: value }: Json): string[] | undefined {
  if (type !== undefined || value === undefined) return type === undefined ? undefined : [type].flat();
  if (value === null) return ['null'];
  return [Number.isInteger(value) ? 'integer' : typeof value];
}

export const withoutNull = (schema: Json): string[] | undefined =>
  typesOf(schema)?.filter((each) => each !== 'null');

function isWithin<Value>(inner: readonly Value[] | undefined, outer: readonly Value[] | undefined): boolean {
  if (outer === undefined) return true;
  return inner?.every((each) => outer.includes(each)) ?? false;
}

const withIntegers = (types: string[] | undefined) =>
  types?.includes('number') ? [...types, 'integer'] : types;

const WIDER_FORMATS: Record<string, string> = { int32: 'int64', float: 'double' };

function isFormatWithin(inner: string | undefined, outer: string | undefined): boolean {
  return outer === undefined || inner === outer || (inner !== undefined && WIDER_FORMATS[inner] === outer);
}

function valuesOf(schema: Json): Json[] | undefined {
  if (withoutNull(schema)?.length === 0) return undefined;
  return 'const' in schema ? [schema.const] : schema.enum?.filter((value: Json) => value !== null);
}

/** The lowest number that `keywords` allow, or for `sign` −1 the highest, and whether it is itself left out. */
function boundOf(
  schema: Json,
  sign: 1 | -1,
  [inclusive = '', exclusive = '']: readonly string[],
): readonly [bound: number, isOpen: boolean] {
  const [closed, open] = [schema[inclusive], schema[exclusive]];
  // Nothing has a negative size.
  const loosest = /^min[A-Z]/.test(inclusive) ? 0 : -Infinity;
  const step = withoutNull(schema)?.join() === 'integer' && Number.isInteger(open) ? 1 : 0;
  const bounds: (readonly [number, boolean])[] = [
    [closed === undefined ? loosest : closed * sign, false],
    [open === undefined ? -Infinity : open * sign + step, step === 0 && open !== undefined],
  ];
  return bounds.reduce((a, b) => (isBoundWithin(b, a) ? b : a));
}

function isBoundWithin(
  [inner, isInnerOpen]: readonly [number, boolean],
  [outer, isOuterOpen]: readonly [number, boolean],
): boolean {
  return inner > outer || (inner === outer && (isInnerOpen || !isOuterOpen));
}

/** A least value, or for `sign` −1 a greatest one. */
function bound(sign: 1 | -1, ...keywords: string[]): Constraint {
  return {
    keywords,
    relation(before, after) {
      const [from, to] = [boundOf(before, sign, keywords), boundOf(after, sign, keywords)];
      return relationOf(isBoundWithin(to, from), isBoundWithin(from, to));
    },
  };
}

/** Whether nothing that holds for values of the one type is said of the other: the type is all that changes then. */
export function isAnotherType(before: Json, after: Json): boolean {
  const [from, to] = [withoutNull(before), withoutNull(after)];
  if (from === undefined || to === undefined) return from !== to;
  // Null alone is of no type here.
  if (from.length === 0 || to.length === 0) return false;
  return !withIntegers(from)?.some((each) => withIntegers(to)?.includes(each));
}

/** Where null is allowed is compared apart, because it is written in several ways. */
export const CONSTRAINTS: readonly Constraint[] = [
  {
    keywords: ['type'],
    relation(before, after) {
      const [from, to] = [withoutNull(before), withoutNull(after)];
      return relationOf(isWithin(to, withIntegers(from)), isWithin(from, withIntegers(to)));
    },
  },
  {
    keywords: ['format'],
    relation: ({ format: before }, { format: after }) =>
      relationOf(isFormatWithin(after, before), isFormatWithin(before, after)),
  },
  {
    keywords: ['enum', 'const'],
    relation(before, after) {
      const [from, to] = [valuesOf(before), valuesOf(after)];
      return relationOf(isWithin(to, from), isWithin(from, to));
    },
  },
  bound(1, 'minimum', 'exclusiveMinimum'),
  bound(-1, 'maximum', 'exclusiveMaximum'),
  ...['Length', 'Items', 'Properties'].map((of) => bound(1, `min${of}`)),
  ...['Length', 'Items', 'Properties'].map((of) => bound(-1, `max${of}`)),
  {
    keywords: ['pattern'],
    relation(...schemas) {
      const [before, after] = schemas.map(({ pattern }) => (pattern === '.*' ? undefined : pattern));
      return relationOf([undefined, after].includes(before), [undefined, before].includes(after));
    },
  },
  {
    keywords: ['multipleOf'],
    relation({ multipleOf: before }, { multipleOf: after }) {
      const isMultiple = (inner?: number, outer?: number) =>
        outer === undefined || (inner !== undefined && inner % outer === 0);
      return relationOf(isMultiple(after, before), isMultiple(before, after));
    },
  },
  {
    keywords: ['uniqueItems'],
    relation: ({ uniqueItems: before = false }, { uniqueItems: after = false }) =>
      relationOf(after || !before, before || !after),
  },
];

/** Whether a keyword asks nothing of who sends or reads. New fields in replies are always to be expected. */
export function isAnnotation(keyword: string, direction: 'request' | 'reply'): boolean {
  const marks = ['discriminator', 'readOnly', 'writeOnly'];
  const more = direction === 'reply' ? ['default', 'additionalProperties'] : [];
  return keyword !== 'x-extensible-enum' && (asksNothing(keyword) || [...marks, ...more].includes(keyword));
}
