import { IDEMPOTENCY_KEY, writeParameter, writePath, type PlacedParameter } from '@contract-kit/core/http';
import type { ClientOperation, CookieWriter } from './client-contract.ts';
import { int64Digits, isExact } from './exact-integers.ts';

export interface RequestParts {
  /** The path and the query with their parameters in place. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestInit['body'];
  /** The media type of the body, if `fetch` does not know it. */
  readonly contentType: string | undefined;
  /** The Content-Disposition of a file that is the body. */
  readonly disposition?: string | undefined;
}

/** Sorts a flat input into path, query, headers and body. Calls `reject`, which throws, if it cannot be sent exactly. */
export function requestParts(
  call: ClientOperation,
  input: Readonly<Record<string, unknown>> | undefined,
  reject: (why: string) => never,
  writeBody: BodyWriter,
  writeCookies?: CookieWriter,
): RequestParts {
  // A parameter may be called `constructor`, which other objects inherit.
  const rest: Record<string, unknown> = { __proto__: null, ...input };
  const { bodyParameter } = call;
  const whole = rest['body'];
  if (bodyParameter) {
    rest['body'] = rest[bodyParameter];
    delete rest[bodyParameter];
  }

  /** Parameters as their place has them; undefined if they are missing. */
  const writtenIn = (place: PlacedParameter['in']) => (name: string) => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined) return undefined;
    const style = propertyIn(call.styles, name);
    return writeParameter(
      { name, in: place, ...style },
      style?.style === 'json' ? exactJson(value, reject) : value,
      (item) => {
        if (item === null && call.nullable?.includes(name)) return '';
        if (call.int64?.includes(name))
          return int64Digits(item) ?? reject(`${name} is not an exact 64-bit integer`);
        // A lone surrogate would arrive as another character.
        return isExact(item, 'bigint') && !/\p{Cs}/u.test(item as string) ? `${item as string}` : undefined;
      },
      reject,
    );
  };

  const path = writePath(call.path, writtenIn('path'), reject);
  const query = call.query?.map(writtenIn('query')).filter(Boolean).join('&');
  const headers: Record<string, string> = {};
  for (const name of call.headers ?? []) {
    // Created once, so that the server recognizes a repeated request.
    if (name.toLowerCase() === IDEMPOTENCY_KEY) rest[name] ??= crypto.randomUUID();
    const text = writtenIn('header')(name);
    if (text !== undefined) headers[name] = text;
  }
  Object.assign(headers, writeCookies?.(call, writtenIn('cookie')));

  const { body, bodyFields } = call;
  if (bodyParameter && whole !== undefined) rest['body'] = whole;
  const known = body === 'fields' ? bodyFields : body ? ['body'] : [];
  const unknown = known && Object.keys(rest).find((name) => !known.includes(name));
  if (unknown !== undefined) reject(`${unknown} is unknown`);
  const value = body === 'fields' ? rest : rest['body'];
  if (body === 'required' && value === undefined) reject('body is missing');
  const sent = value === undefined ? { body: undefined } : writeBody(value, call, reject);
  return { target: query ? `${path}?${query}` : path, headers, contentType: undefined, ...sent };
}

export function propertyIn<Value>(
  values: Readonly<Record<string, Value>> = {},
  name: string,
): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Writes a body as its media type wants it. */
export type BodyWriter = (
  value: unknown,
  call: ClientOperation,
  reject: (why: string) => never,
) => Pick<RequestParts, 'body' | 'contentType' | 'disposition'>;

export const JSON_TYPE = 'application/json';

export const writeJson: BodyWriter = (value, { bodyType = JSON_TYPE }, reject) => ({
  body: exactJson(value, reject),
  contentType: bodyType,
});

/** The JSON text of a body. Unlike `JSON.stringify`, it rounds and omits nothing. */
export function exactJson(body: unknown, reject: (why: string) => never): string {
  let at = 'body';
  try {
    return JSON.stringify(body, (name, value: unknown) => {
      at = Number(name) >= 0 ? at : name;
      // JSON.stringify passes the values in an object one by one.
      if (isExact(value, 'object')) return value;
      throw value;
    });
  } catch {
    // Includes circular structures.
    return reject(`${at} cannot be sent exactly`);
  }
}
