/** A JSON Schema pattern for the digits of a canonical decimal integer of at most 64 bits. */
export const INT64_PATTERN = '^(0|-?[1-9][0-9]{0,18})$';

/** Completes a sentence of what a value must be. */
export const INT64_WANTED = 'a 64-bit decimal integer';

const CANONICAL = new RegExp(INT64_PATTERN);

/** Whether `text` is a canonical decimal 64-bit integer: `0`, `-1`, `42`; not `01`, `+1`, `-0`, `1.0`, `1e3`. */
export function isInt64(text: string): boolean {
  return CANONICAL.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** Whether no number in `value` can have been rounded: JSON numbers are exact up to 2^53−1 only (RFC 8259 §6). */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53;
  if (typeof value === 'object') {
    for (const name in value) if (!hasExactNumbers(value[name as never])) return false;
  }
  return true;
}
