import type { Choices } from './choices.ts';

/* Numbers are made of decimal digits: 0.1 + 0.2 is not 0.3 in binary fractions. */

/** Bounds of a number, and what it is a multiple of. */
export interface Bounds {
  readonly minimum: number;
  readonly above: number;
  readonly maximum: number;
  readonly below: number;
  readonly steps: readonly number[];
}

/** Digits after the point. A schema with more means any number. */
const MOST_DIGITS = 20;
/** Of the numbers from the least one on: small ones are likely to be ids of records. */
const SMALL = 40;

/** A number within `bounds`, from 0 on if it has some there; undefined if there is none. */
export function numberWithin(bounds: Bounds, choices: Choices): number | undefined {
  const { minimum, above, maximum, below, steps } = bounds;
  const isWithin = (value: number) => value >= minimum && value > above && value <= maximum && value < below;
  const given = [minimum, above, maximum, below, ...steps].filter((value) => Number.isFinite(value));
  const digits = Math.max(
    ...given.map(digitsAfterPoint),
    steps.length > 0 || choices.isUsual ? 0 : choices.pick(4),
  );
  if (digits > MOST_DIGITS) return [maximum, minimum].find(isWithin);
  const scaled = (value: number) => scaledTo(digits, value);
  const one = 10n ** BigInt(digits);
  const step = steps.length > 0 ? steps.map(scaled).reduce(leastCommonMultiple) : choices.isUsual ? one : 1n;
  const unscaled = (value: bigint) => Number(`${value}e-${digits}`);
  const least = highest(
    floor(scaled(Math.max(minimum, Number.MIN_SAFE_INTEGER)) + step - 1n, step),
    above === -Infinity ? undefined : floor(scaled(above), step) + step,
  );
  const most = lowest(
    floor(scaled(Math.min(maximum, Number.MAX_SAFE_INTEGER)), step),
    below === Infinity ? undefined : floor(scaled(below) - 1n, step),
  );
  const usual = firstOf({ minimum, above, least, one, step, scaled });
  const candidates = choices.isUsual
    ? [usual + BigInt(choices.pick(SMALL)) * step, usual, most]
    : varied({ usual, least, most, step }, choices);
  const found = candidates.map(unscaled).find(isWithin);
  if (found !== undefined || steps.length > 0) return found;
  const middle = (Math.max(minimum, above) + Math.min(maximum, below)) / 2;
  return isWithin(middle) ? middle : undefined;
}

interface Range {
  readonly usual: bigint;
  readonly least: bigint;
  readonly most: bigint;
  readonly step: bigint;
}

/** Small numbers, which are likely to be ids of records, edges, and any. */
function varied({ usual, least, most, step }: Range, { pick }: Choices): bigint[] {
  const near = usual + BigInt(pick(SMALL)) * step;
  const kind = pick(4);
  const edge = pick(2) === 0 ? most : least;
  const far = BigInt(pick(WIDE)) * BigInt(WIDE) + BigInt(pick(WIDE));
  const any = most < least ? most : least + (far % ((most - least) / step + 1n)) * step;
  return [...(kind < 2 ? [near] : kind === 2 ? [edge] : [any, near]), usual, most, least];
}

const WIDE = 2 ** 31 - 1;

/** The least number from 0 on, or from 1 without a minimum. */
function firstOf({ minimum, above, least, one, step, scaled }: Usual): bigint {
  const from = minimum !== -Infinity ? scaled(minimum) : above !== -Infinity ? scaled(above) + one : one;
  const positive = floor(from + step - 1n, step);
  return highest(positive < 0n ? 0n : positive, least);
}

interface Usual extends Pick<Bounds, 'minimum' | 'above'> {
  readonly least: bigint;
  readonly one: bigint;
  readonly step: bigint;
  readonly scaled: (value: number) => bigint;
}

/** The greatest multiple up to `value`. */
const floor = (value: bigint, step: bigint) => value - (((value % step) + step) % step);
const highest = (one: bigint, other: bigint = one) => (one > other ? one : other);
const lowest = (one: bigint, other: bigint = one) => (one < other ? one : other);

function leastCommonMultiple(one: bigint, other: bigint): bigint {
  const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));
  return (one / divisor(one, other)) * other;
}

function digitsAfterPoint(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}

/** `value` times ten to the power of `digits`, exactly. */
function scaledTo(digits: number, value: number): bigint {
  const [number = '', exponent = '0'] = String(value).split('e');
  const [whole = '', after = ''] = number.split('.');
  const zeros = digits + Number(exponent) - after.length;
  return BigInt(whole + after) * 10n ** BigInt(Math.max(0, zeros));
}
