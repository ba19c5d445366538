const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/;
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Whether `text` is a canonical decimal 64-bit integer: `0`, `-1`, `42`; not `01`, `+1`, `-0`, `1.0`, `1e3`. */
export function isInt64(text: string): boolean {
  if (!CANONICAL.test(text)) return false;
  const value = BigInt(text);
  return value >= MIN && value <= MAX;
}

const BOUNDS: Readonly<Record<string, (value: bigint, bound: bigint) => boolean>> = {
  minimum: (value, bound) => value >= bound,
  maximum: (value, bound) => value <= bound,
  exclusiveMinimum: (value, bound) => value > bound,
  exclusiveMaximum: (value, bound) => value < bound,
  multipleOf: (value, divisor) => value % divisor === 0n,
};
const ANNOTATIONS = ['type', 'format', 'title', 'description', 'example', 'examples', 'deprecated'];

/**
 * A check of whether a text is a canonical int64 within the bounds of `schema`. Throws where the schema has a keyword
 * that is not looked at here: it would be promised and not kept.
 */
export function int64Within(schema: Readonly<Record<string, unknown>>): (text: string) => boolean {
  const checks = Object.entries(schema).flatMap(([keyword, value]) => {
    const check = BOUNDS[keyword];
    if (check && typeof value === 'number') return [{ check, bound: BigInt(value) }];
    if (ANNOTATIONS.includes(keyword) || keyword.startsWith('x-')) return [];
    throw new Error(`the keyword ${keyword} of an int64 parameter is not supported`);
  });
  return (text) => isInt64(text) && checks.every(({ check, bound }) => check(BigInt(text), bound));
}
