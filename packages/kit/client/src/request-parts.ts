import type { Operation } from '@kit/contract';
import { int64Digits, isExact } from './exact-integers.ts';
import { queryText } from './query-string.ts';
import { IDEMPOTENCY_KEY } from './request.ts';

export interface RequestParts {
  /** The path and the query with their parameters in place. */
  readonly target: string;
  /** The header parameters by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON text of the body, if the operation has one. */
  readonly body: string | undefined;
}

/** Sorts a flat input into path, query, headers and body. Calls `refuse`, which throws, if it cannot be sent exactly. */
export function requestParts(
  call: Operation,
  input: Readonly<Record<string, unknown>> | undefined,
  refuse: (why: string) => never,
): RequestParts {
  const rest = { ...input };
  let query = '';

  /** The texts of a parameter: none if it is missing, several for a list. */
  const take = (name: string, mayBeList?: boolean): string[] => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined) return [];
    if (value === null && call.nullable?.includes(name)) return [''];
    const isInt64 = call.int64?.includes(name);
    return (mayBeList ? [value].flat() : [value]).map((each) => {
      if (isInt64) return int64Digits(each) ?? refuse(`${name} is not an exact 64-bit integer`);
      const text = isExact(each, 'bigint') ? `${each as string}` : '\ud800';
      // A lone surrogate would arrive as another character.
      return /\p{Cs}/u.test(text) ? refuse(`${name} cannot be sent exactly`) : text;
    });
  };

  const fill = (_match: string, name: string) => pathText(name, take(name)[0], refuse);
  const path = call.path.replace(/{(.+?)}/g, fill);
  for (const name of call.query ?? []) {
    const text = queryText(name, take(name, true), call.commaSeparated?.includes(name));
    if (text) query += (query ? '&' : '?') + text;
  }
  const headers: Record<string, string> = {};
  for (const name of call.headers ?? []) {
    // Created once, so that the server recognizes a repeated request.
    if (name.toLowerCase() === IDEMPOTENCY_KEY) rest[name] ??= crypto.randomUUID();
    for (const text of take(name)) {
      // Surrounding spaces would be lost, and non-ASCII text may change (RFC 9110 §5.5).
      headers[name] = /^([!-~]([ -~]*[!-~])?)?$/.test(text) ? text : refuse(`${name} cannot be sent exactly`);
    }
  }

  const { body, bodyFields } = call;
  const known = body === 'fields' ? bodyFields : body ? ['body'] : [];
  const unknown = known && Object.keys(rest).find((name) => !known.includes(name));
  if (unknown !== undefined) refuse(`${unknown} is unknown`);
  const value = body === 'fields' ? rest : rest['body'];
  if (body === 'required' && value === undefined) refuse('body is missing');
  return { target: path + query, headers, body: value === undefined ? value : exactJson(value, refuse) };
}

/** A path parameter, encoded for the path. */
export function pathText(name: string, value: unknown, refuse: (why: string) => never): string {
  const text = isExact(value, 'bigint') ? `${value as string}` : '';
  // URLs lose dot segments (RFC 3986 §5.2.4): the request would go to another path.
  return /^\.{0,2}$/.test(text) ? refuse(`${name} is missing`) : encodeURIComponent(text);
}

/** The JSON text of a body. Unlike `JSON.stringify`, it rounds and omits nothing. */
function exactJson(body: unknown, refuse: (why: string) => never): string {
  let at = 'body';
  try {
    return JSON.stringify(body, (name, value: unknown) => {
      at = name || at;
      // What is in an object comes here by itself.
      if (isExact(value, 'object')) return value;
      throw value;
    });
  } catch {
    // Also a circle.
    return refuse(`${at} cannot be sent exactly`);
  }
}
