import type { Operation, ParameterStyle } from '@contract-kit/core';
import { IDEMPOTENCY_KEY } from '@contract-kit/core/idempotency-key';
import { int64Digits, isExact } from './exact-integers.ts';
import { styledText } from './query-string.ts';

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
  call: Operation,
  input: Readonly<Record<string, unknown>> | undefined,
  reject: (why: string) => never,
  writeBody: BodyWriter,
): RequestParts {
  // A parameter may be called `constructor`, which other objects inherit.
  const rest: Record<string, unknown> = { __proto__: null, ...input };
  const { bodyParameter } = call;
  const whole = rest['body'];
  if (bodyParameter) {
    rest['body'] = rest[bodyParameter];
    delete rest[bodyParameter];
  }
  let query = '';
  const styleOf = (name: string) => ownIn(call.styles, name);

  /** The texts of a parameter: none if it is missing, several for a list. */
  const take = (name: string, acceptsList?: boolean): string[] => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined) return [];
    return (acceptsList ? [value].flat() : [value]).map((item) => parameterText(name, item));
  };

  const parameterText = (name: string, value: unknown): string => {
    if (value === null && call.nullable?.includes(name)) return '';
    if (call.int64?.includes(name))
      return int64Digits(value) ?? reject(`${name} is not an exact 64-bit integer`);
    const text = isExact(value, 'bigint') ? `${value as string}` : '\ud800';
    // A lone surrogate would arrive as another character.
    return /\p{Cs}/u.test(text) ? reject(`${name} cannot be sent exactly`) : text;
  };

  /** A parameter with a style, as it is written in its place; '' if it is missing. */
  const takeStyled = (name: string, style: ParameterStyle, place: 'simple' | 'form'): string => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined) return '';
    if (style.style === 'json')
      return styledText(name, exactJson(value, reject), { style: place, explode: false }, String);
    const delimiter = style.explode ? undefined : DELIMITERS[style.style];
    return styledText(name, value, style, (item) => {
      const text = parameterText(name, item);
      // A cookie is not encoded (RFC 6265 §4.1.1).
      const isOther = style.style === 'cookie' && /[^!#-+\--:<-[\]-~]/.test(text);
      // The receiver could not tell it from the delimiter.
      return isOther || (delimiter && text.includes(delimiter))
        ? reject(`${name} cannot be sent exactly`)
        : text;
    });
  };

  const fill = (_match: string, name: string) => {
    const style = styleOf(name);
    if (!style) return pathText(name, take(name)[0], reject);
    return takeStyled(name, style, 'simple') || reject(`${name} is missing`);
  };
  const path = call.path.replace(/{(.+?)}/g, fill);
  for (const name of call.query ?? []) {
    const style = styleOf(name);
    const texts = style
      ? takeStyled(name, style, 'form')
      : take(name, true).map((text) => `${queryName(name)}=${encodeURIComponent(text)}`);
    for (const text of [texts].flat()) if (text) query += (query ? '&' : '?') + text;
  }
  const headers: Record<string, string> = {};
  for (const name of call.headers ?? []) {
    // Created once, so that the server recognizes a repeated request.
    if (name.toLowerCase() === IDEMPOTENCY_KEY) rest[name] ??= crypto.randomUUID();
    const style = styleOf(name);
    const styled = style && takeStyled(name, style, 'simple');
    // The receiver could not tell these commas and spaces from those between the items (RFC 9110 §5.6.1).
    if (styled && style.style !== 'json' && /%2C|(^|,)%20|%20(,|$)/.test(styled))
      reject(`${name} cannot be sent exactly`);
    for (const text of style ? (styled ? [decodeURIComponent(styled)] : []) : take(name)) {
      // Surrounding spaces would be lost, and non-ASCII text may change (RFC 9110 §5.5).
      headers[name] = /^([!-~]([ -~]*[!-~])?)?$/.test(text) ? text : reject(`${name} cannot be sent exactly`);
    }
  }

  const cookies = (call.cookies ?? []).map((name) =>
    takeStyled(name, styleOf(name) ?? { style: 'form', explode: false }, 'form'),
  );
  const cookie = cookies.filter(Boolean).join('; ');
  if (cookie) headers['Cookie'] = cookie;

  const { body, bodyFields } = call;
  if (bodyParameter && whole !== undefined) rest['body'] = whole;
  const known = body === 'fields' ? bodyFields : body ? ['body'] : [];
  const unknown = known && Object.keys(rest).find((name) => !known.includes(name));
  if (unknown !== undefined) reject(`${unknown} is unknown`);
  const value = body === 'fields' ? rest : rest['body'];
  if (body === 'required' && value === undefined) reject('body is missing');
  const sent = value === undefined ? { body: undefined } : writeBody(value, call, reject);
  return { target: path + query, headers, contentType: undefined, ...sent };
}

export function ownIn<Value>(values: Readonly<Record<string, Value>> = {}, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Only characters that would end it, or change, are encoded. */
const queryName = (name: string) => name.replace(/[%+&#=]/g, encodeURIComponent);

export function pathText(name: string, value: unknown, reject: (why: string) => never): string {
  const text = isExact(value, 'bigint') ? `${value as string}` : '';
  if (!text) reject(`${name} is missing`);
  // URLs lose dot segments (RFC 3986 §5.2.4): the request would go to another path.
  return /^\.\.?$/.test(text) ? reject(`${name} cannot be sent exactly`) : encodeURIComponent(text);
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Writes a body as its media type wants it. */
export type BodyWriter = (
  value: unknown,
  call: Operation,
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
