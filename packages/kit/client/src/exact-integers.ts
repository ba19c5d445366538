import { hasExactNumbers, isInt64 } from '@contract-kit/core/json';

/** Whether it can be sent as it is: a string, a boolean, an exact number, or the `other` type. */
export function isExact(value: unknown, other: string): boolean {
  return typeof value === other || (/string|boolean|number/.test(typeof value) && hasExactNumbers(value));
}

/** The canonical digits of a 64-bit integer, or nothing if `value` may be inexact. */
export function int64Digits(value: unknown): string | undefined {
  const digits = typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : value;
  return typeof digits === 'string' && isInt64(digits) ? digits : undefined;
}
