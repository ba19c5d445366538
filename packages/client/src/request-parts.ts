import { operations } from '@petstore/contract';
import { InputError } from './errors.ts';
import { hasExactNumbers, int64Digits } from './exact-integers.ts';
import { queryPairs } from './query-string.ts';
import type { OperationId } from './types.ts';

export interface RequestParts {
  /** The path and the query with their parameters in place. */
  readonly target: string;
  /** The JSON text of the body, if the operation has one. */
  readonly body: string | undefined;
}

/** Sorts a flat input into path, query and body. Throws an InputError where it cannot be sent exactly as given. */
export function requestParts(
  operation: OperationId,
  input?: Readonly<Record<string, unknown>>,
): RequestParts {
  const call = operations[operation];
  const rest = { ...input };
  let query = '';

  const refuse = (name: string, why: string): never => {
    throw new InputError(`${operation}: ${name} ${why}`, { operation, code: 'invalid_input', attempts: 0 });
  };

  const take = (name: string): unknown => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined || !call.int64?.includes(name)) return value;
    return int64Digits(value) ?? refuse(name, 'is not an exact 64-bit integer');
  };

  const path = call.path.replace(/{(.+?)}/g, (_match, name: string) => {
    const text = String(take(name));
    // URLs lose dot segments (RFC 3986 §5.2.4): the request would go to another path.
    return /^(\.{0,2}|undefined|null)$/.test(text) ? refuse(name, 'is missing') : encodeURIComponent(text);
  });
  for (const name of call.query ?? []) {
    const value = take(name) ?? [];
    if ([value].flat().some((each) => typeof each === 'object')) refuse(name, 'is an object');
    const pairs = queryPairs(name, value);
    if (pairs) query += (query ? '&' : '?') + pairs;
  }
  if (!call.body) for (const name in rest) refuse(name, 'is unknown');
  if (!hasExactNumbers(input)) refuse('a number', 'is not exact');
  return {
    target: path + query,
    body: call.body && JSON.stringify(call.body === 'object' ? rest : rest.body),
  };
}
