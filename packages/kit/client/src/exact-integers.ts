import { isInt64 } from '@kit/contract/int64';

/** Whether no number in `value` can have been rounded: JSON numbers are exact up to 2^53−1 only (RFC 8259 §6). */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53;
  if (typeof value === 'object') {
    for (const name in value) if (!hasExactNumbers(value[name as never])) return false;
  }
  return true;
}

/** Whether it can be sent as it is: a string, a boolean, an exact number, or the `other` type. */
export function isExact(value: unknown, other: string): boolean {
  return typeof value === other || (/string|boolean|number/.test(typeof value) && hasExactNumbers(value));
}

/** The canonical digits of a 64-bit integer, or nothing if `value` may be inexact. */
export function int64Digits(value: unknown): string | undefined {
  const digits = typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : value;
  return typeof digits === 'string' && isInt64(digits) ? digits : undefined;
}
