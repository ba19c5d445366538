import { operations } from '@petstore/contract';
import { InputError } from './errors.ts';
import { hasExactNumbers, int64Digits } from './exact-integers.ts';
import { queryText } from './query-string.ts';
import type { OperationId } from './types.ts';

export interface RequestParts {
  /** The path and the query with their parameters in place. */
  readonly target: string;
  /** The header parameters by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON text of the body, if the operation has one. */
  readonly body: string | undefined;
}

/** Sorts a flat input into path, query, headers and body. Throws an InputError where it cannot be sent exactly as given. */
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

  /** The texts of a parameter: none where it is not given, several of a list. */
  const take = (name: string, mayBeList?: boolean): string[] => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined) return [];
    if (value === null && call.nullable?.includes(name)) return [''];
    const isInt64 = call.int64?.includes(name);
    return (mayBeList ? [value].flat() : [value]).map((each) => {
      if (isInt64) return int64Digits(each) ?? refuse(name, 'is not an exact 64-bit integer');
      const text = /object|undefined/.test(typeof each) ? undefined : `${each as string}`;
      // Half a character would arrive as another one.
      return text === undefined || /\p{Cs}/u.test(text) ? refuse(name, 'cannot be written as text') : text;
    });
  };

  const path = call.path.replace(/{(.+?)}/g, (_match, name: string) => {
    const [text = ''] = take(name);
    // URLs lose dot segments (RFC 3986 §5.2.4): the request would go to another path.
    return /^\.{0,2}$/.test(text) ? refuse(name, 'is missing') : encodeURIComponent(text);
  });
  for (const name of call.query ?? []) {
    const text = queryText(name, take(name, true), call.joined?.includes(name));
    if (text) query += (query ? '&' : '?') + text;
  }
  const headers: Record<string, string> = {};
  for (const name of call.headers ?? []) {
    for (const text of take(name)) {
      // Spaces around it would be lost, and what is not ASCII might arrive as something else (RFC 9110 §5.5).
      headers[name] = /^([!-~]([ -~]*[!-~])?)?$/.test(text)
        ? text
        : refuse(name, 'does not fit into a header');
    }
  }
  const body = call.body === 'fields' ? rest : call.body && rest['body'];
  if (body !== rest) for (const name in rest) if (!call.body || name !== 'body') refuse(name, 'is unknown');
  if (call.body === 'required' && body === undefined) refuse('body', 'is missing');
  let text: string | undefined;
  let isExact = false;
  try {
    text = JSON.stringify(body);
    isExact = hasExactNumbers(input);
  } catch {
    // A bigint, or a circle.
  }
  if (!isExact) refuse('a value', 'cannot be sent exactly');
  return { target: path + query, headers, body: text };
}
