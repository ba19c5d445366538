import { wireCalls, type WireCall } from '@petstore/contract';
import { InputError } from './errors.ts';
import { int64, isExact } from './exact.ts';
import type { OperationId } from './types.ts';

type Values = Record<string, unknown>;

interface RequestParts {
  /** The path with its parameters in place. */
  readonly path: string;
  readonly query: Values;
  /** The JSON text of the body, if the operation has one. */
  readonly body: string | undefined;
}

/** Sorts a flat input into path, query and body. Throws an InputError where it cannot be sent exactly as given. */
export function requestParts(operation: OperationId, input?: Readonly<Values>): RequestParts {
  const call: WireCall = wireCalls[operation];
  const rest = { ...input };
  const query: Values = {};

  const refuse = (name: string, why: string): never => {
    throw new InputError(`${operation}: ${name} ${why}`, { operation, code: 'invalid_input', attempts: 0 });
  };

  const take = (name: string): unknown => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined || !call.int64?.includes(name)) return value;
    return int64(value) ?? refuse(name, 'is not an exact 64-bit integer');
  };

  const path = call.path.replace(/{(.+?)}/g, (_match, name: string) => {
    const text = String(take(name));
    // URLs lose dot segments (RFC 3986 §5.2.4): the request would go to another path.
    return /^(\.{0,2}|undefined|null)$/.test(text) ? refuse(name, 'is missing') : encodeURIComponent(text);
  });
  for (const name of call.query ?? []) query[name] = take(name);
  if (!call.body) for (const name in rest) refuse(name, 'is unknown');
  if (!isExact(rest)) refuse('a number', 'is not exact');
  return { path, query, body: call.body && JSON.stringify(call.body === 'object' ? rest : rest.body) };
}
