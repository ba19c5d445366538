const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/;
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Whether `text` is a canonical decimal 64-bit integer: `0`, `-1`, `42`; not `01`, `+1`, `-0`, `1.0`, `1e3`. */
export function isInt64(text: string): boolean {
  if (!CANONICAL.test(text)) return false;
  const value = BigInt(text);
  return value >= MIN && value <= MAX;
}
