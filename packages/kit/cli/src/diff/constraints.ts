import { isDeepStrictEqual } from 'node:util';
import { isAnnotation } from '@contract-kit/core/model';
import { isMultipleOf } from '@contract-kit/core/json';

/** The values that a schema allows, compared with before. */
export type Relation = 'narrower' | 'wider' | 'other';

/** The keywords of a schema. Reading has checked their shapes. */
export interface Keywords {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number | boolean;
  readonly exclusiveMaximum?: number | boolean;
  readonly required?: readonly string[];
  readonly discriminator?: { readonly defaultMapping?: string };
  readonly 'x-extensible-enum'?: readonly string[];
  readonly [keyword: string]: unknown;
}

interface Constraints {
  readonly enum?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

/** The constraints of a schema on values other than null, normalized. */
export function constraintsOf(keywords: Keywords): Constraints {
  const { const: only, uniqueItems, pattern, exclusiveMinimum, exclusiveMaximum, ...rest } = keywords;
  const { defaultMapping = NONE, ...discriminator } = keywords.discriminator ?? {};
  const types = withoutNull(keywords);
  const values = 'const' in keywords ? [only] : keywords.enum;
  const isInteger = types?.join() === 'integer';
  return Object.fromEntries(
    Object.entries<unknown>({
      ...rest,
      ...(keywords.discriminator && { discriminator, defaultMapping }),
      type: types,
      enum: types?.length === 0 ? undefined : values?.filter((value) => value !== null),
      minimum: tighter(1, keywords.minimum, exclusiveMinimum, isInteger),
      maximum: tighter(-1, keywords.maximum, exclusiveMaximum, isInteger),
      pattern: pattern === '.*' ? undefined : pattern,
      uniqueItems: uniqueItems || undefined,
      ...Object.fromEntries(SIZES.map((name) => [`min${name}`, keywords[`min${name}`] || undefined])),
    }).filter(([, value]) => value !== undefined),
  );
}

/** A discriminator without a default, so that unknown tags are rejected (OpenAPI 3.2 §4.25). */
const NONE = 'none';

const SIZES = ['Length', 'Items', 'Properties'];

/** The tighter of two bounds: a number, or the text `>5` or `<5` if the number itself is excluded. */
function tighter(
  sign: 1 | -1,
  inclusive: number | undefined,
  exclusive: number | boolean | undefined,
  isInteger: boolean,
): Bound | undefined {
  // For integers, above 0 is at least 1.
  const excluded =
    isInteger && Number.isInteger(exclusive)
      ? Number(exclusive) + sign
      : `${sign > 0 ? '>' : '<'}${exclusive}`;
  if (exclusive === undefined) return inclusive;
  return inclusive !== undefined && isBound(sign)(inclusive, excluded) ? inclusive : excluded;
}

/** The other keywords that a constraint may be written with. */
export const ALSO_WRITTEN: Readonly<Record<string, readonly string[]>> = {
  defaultMapping: ['discriminator'],
  enum: ['const'],
  minimum: ['exclusiveMinimum'],
  maximum: ['exclusiveMaximum'],
};

export function allowedTypes({ type, const: value }: Keywords): string[] | undefined {
  if (type !== undefined) return [type].flat();
  if (value === undefined) return undefined;
  if (value === null) return ['null'];
  return [Number.isInteger(value) ? 'integer' : typeof value];
}

export function withoutNull(keywords: Keywords): string[] | undefined {
  return allowedTypes(keywords)?.filter((type) => type !== 'null');
}

const isSubset = (inner: unknown[], outer: unknown[]) => inner.every((value) => outer.includes(value));
const withIntegers = (types: string[]) => (types.includes('number') ? [...types, 'integer'] : types);
const isAtLeast = (inner: number, outer: number) => inner >= outer;
const isAtMost = (inner: number, outer: number) => inner <= outer;

type Bound = number | string;

function isBound(sign: 1 | -1): (inner: Bound, outer: Bound) => boolean {
  const numberOf = (bound: Bound) => sign * Number(String(bound).replace(/[<>]/, ''));
  return (inner, outer) =>
    numberOf(inner) > numberOf(outer) ||
    (numberOf(inner) === numberOf(outer) && (typeof inner === 'string' || typeof outer === 'number'));
}

/** Whether one constraint implies another. Keywords without an entry are not understood. */
const IS_WITHIN: Readonly<Record<string, (inner: never, outer: never) => boolean>> = {
  type: (inner: string[], outer: string[]) => isSubset(inner, withIntegers(outer)),
  format: (inner: unknown, outer: unknown) =>
    inner === outer || { int32: 'int64', float: 'double' }[String(inner)] === outer,
  defaultMapping: (inner: unknown, outer: unknown) => inner === NONE && outer !== NONE,
  enum: isSubset,
  minimum: isBound(1),
  maximum: isBound(-1),
  ...Object.fromEntries(SIZES.map((name) => [`min${name}`, isAtLeast])),
  ...Object.fromEntries(SIZES.map((name) => [`max${name}`, isAtMost])),
  multipleOf: isMultipleOf,
  pattern: isDeepStrictEqual,
  uniqueItems: isDeepStrictEqual,
  additionalProperties: isDeepStrictEqual,
  unevaluatedProperties: isDeepStrictEqual,
};

/** How `after` relates to `before`; undefined if both are equal. Unknown keywords may mean anything. */
export function relationOf(keyword: string, before: unknown, after: unknown): Relation | undefined {
  // Reading has checked that a keyword has values of its own type.
  const isWithin = IS_WITHIN[keyword] as ((inner: unknown, outer: unknown) => boolean) | undefined;
  if (isDeepStrictEqual(before, after)) return undefined;
  // Without a discriminator there is none to compare with.
  if (keyword === 'defaultMapping' && (before === undefined || after === undefined)) return undefined;
  if (!isWithin) return 'other';
  const isNarrower = before === undefined || (after !== undefined && isWithin(after, before));
  const isWider = after === undefined || (before !== undefined && isWithin(before, after));
  if (isNarrower && isWider) return undefined;
  if (isNarrower) return 'narrower';
  return isWider ? 'wider' : 'other';
}

/** Whether the two have no type in common. A schema without a type is another one than any with a type. */
export function isAnotherType(from: string[] | undefined, to: string[] | undefined): boolean {
  if (from === undefined || to === undefined) return from !== to;
  // `null` alone is compared as nullability.
  if (from.length === 0 || to.length === 0) return false;
  return !withIntegers(from).some((type) => withIntegers(to).includes(type));
}

/** Whether a keyword does not concern senders or readers. Readers must expect new fields in responses. */
export function isIrrelevant(keyword: string, direction: 'request' | 'response'): boolean {
  if (keyword === 'x-extensible-enum') return false;
  if (['discriminator', 'readOnly', 'writeOnly'].includes(keyword)) return true;
  const more = direction === 'response' ? ['default', 'additionalProperties', 'unevaluatedProperties'] : [];
  return isAnnotation(keyword) || more.includes(keyword);
}
