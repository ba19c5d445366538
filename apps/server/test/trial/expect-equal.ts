import { isDeepStrictEqual, inspect } from 'node:util';
import { isObject } from '@petstore/contract/json-pointer';

/** Without the difference between a missing field and one that is undefined, between 0 and -0, and prototypes. */
function plain(value: unknown): unknown {
  if (Buffer.isBuffer(value) || value instanceof Uint8Array) return [...value];
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, plain(field)]));
}

/** Throws where `actual` is not what a handler or a caller was to get. `what` is its name. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(plain(actual), plain(expected))) return;
  const show = (value: unknown) =>
    inspect(plain(value), { depth: 8, breakLength: Infinity, maxStringLength: 300 });
  throw new Error(`${what}: ${show(actual)}, not ${show(expected)}`);
}
