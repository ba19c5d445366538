import { bodies, operations } from '@petstore/contract';
import { InputError } from './errors.ts';
import type { OperationId } from './types.ts';

export interface RequestParts {
  readonly path: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

/** Sorts a flat input into path, query and body. Throws an InputError where it cannot be sent exactly as given. */
export function requestParts(
  operation: OperationId,
  input: Readonly<Record<string, unknown>> = {},
): RequestParts {
  const { path, query }: { path: Record<string, string>; query: Record<string, string> } =
    operations[operation].parameters;
  const { request }: { request?: string; replies: object } = bodies[operation];
  const parts = { path: {} as Record<string, string>, query: {} as Record<string, unknown> };
  const rest: Record<string, unknown> = { ...input };

  const refuse = (name: string, must: string): never => {
    throw new InputError(`${operation}: ${name} must be ${must}`, {
      operation,
      code: 'invalid_input',
      attempts: 0,
    });
  };

  for (const [name, type] of Object.entries(path)) {
    const text = type === 'int64' ? int64(input[name]) : segment(input[name]);
    parts.path[name] = text ?? refuse(name, type === 'int64' ? INT64 : 'a text that can be a path segment');
    delete rest[name];
  }
  for (const [name, type] of Object.entries(query)) {
    const value = input[name];
    if (value !== undefined)
      parts.query[name] = type === 'int64' ? (int64(value) ?? refuse(name, INT64)) : value;
    delete rest[name];
  }
  if (!request) for (const name in rest) refuse(name, 'left out: the operation has no such parameter');
  return { ...parts, body: request && (request === 'object' ? rest : rest.body) };
}

const INT64 = 'a 64-bit integer: a safe integer, a bigint or decimal digits';

/** The canonical digits of a 64-bit integer, or nothing. */
function int64(value: unknown): string | undefined {
  if (
    typeof value === 'number'
      ? !Number.isSafeInteger(value)
      : typeof value !== 'bigint' && typeof value !== 'string'
  )
    return undefined;
  const digits = String(value);
  return /^(0|-?[1-9]\d{0,18})$/.test(digits) && String(BigInt.asIntN(64, BigInt(digits))) === digits
    ? digits
    : undefined;
}

// URL parsing removes dot segments even when they are percent-encoded, which would lead to another path.
function segment(value: unknown): string | undefined {
  const text =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  return /^\.{0,2}$/.test(text) ? undefined : text;
}
