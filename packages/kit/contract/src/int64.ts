/** A JSON Schema pattern for the digits of a canonical decimal integer of at most 64 bits. */
export const INT64_PATTERN = '^(0|-?[1-9][0-9]{0,18})$';

const CANONICAL = new RegExp(INT64_PATTERN);

/** Whether `text` is a canonical decimal 64-bit integer: `0`, `-1`, `42`; not `01`, `+1`, `-0`, `1.0`, `1e3`. */
export function isInt64(text: string): boolean {
  return CANONICAL.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}
