import type { Operation, ParameterStyle } from '@kit/contract';
import { int64Digits, isExact } from './exact-integers.ts';
import { styledText } from './query-string.ts';
import { IDEMPOTENCY_KEY } from './request.ts';

export interface RequestParts {
  /** The path and the query with their parameters in place. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestInit['body'];
  /** The media type of the body, if `fetch` does not know it. */
  readonly contentType: string | undefined;
}

/** Sorts a flat input into path, query, headers and body. Calls `refuse`, which throws, if it cannot be sent exactly. */
export function requestParts(
  call: Operation,
  input: Readonly<Record<string, unknown>> | undefined,
  refuse: (why: string) => never,
): RequestParts {
  const rest = { ...input };
  const { bodyParameter } = call;
  const whole = rest['body'];
  if (bodyParameter) {
    rest['body'] = rest[bodyParameter];
    delete rest[bodyParameter];
  }
  let query = '';

  /** The texts of a parameter: none if it is missing, several for a list. */
  const take = (name: string, acceptsList?: boolean): string[] => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined) return [];
    return (acceptsList ? [value].flat() : [value]).map((item) => textOf(name, item));
  };

  const textOf = (name: string, value: unknown): string => {
    if (value === null && call.nullable?.includes(name)) return '';
    if (call.int64?.includes(name))
      return int64Digits(value) ?? refuse(`${name} is not an exact 64-bit integer`);
    const text = isExact(value, 'bigint') ? `${value as string}` : '\ud800';
    // A lone surrogate would arrive as another character.
    return /\p{Cs}/u.test(text) ? refuse(`${name} cannot be sent exactly`) : text;
  };

  /** A parameter with a style, as it is written in its place; '' if it is missing. */
  const takeStyled = (name: string, style: ParameterStyle, place: 'simple' | 'form'): string => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined) return '';
    if (style.style === 'json')
      return styledText(name, exactJson(value, refuse), { style: place, explode: false }, String);
    const delimiter = style.explode ? undefined : DELIMITERS[style.style];
    return styledText(name, value, style, (item) => {
      const text = textOf(name, item);
      // The receiver could not tell it from the delimiter.
      return delimiter && text.includes(delimiter) ? refuse(`${name} cannot be sent exactly`) : text;
    });
  };

  const fill = (_match: string, name: string) => {
    const style = call.styles?.[name];
    if (!style) return pathText(name, take(name)[0], refuse);
    return takeStyled(name, style, 'simple') || refuse(`${name} is missing`);
  };
  const path = call.path.replace(/{(.+?)}/g, fill);
  for (const name of call.query ?? []) {
    const style = call.styles?.[name];
    const texts = style
      ? takeStyled(name, style, 'form')
      : take(name, true).map((text) => `${queryName(name)}=${encodeURIComponent(text)}`);
    for (const text of [texts].flat()) if (text) query += (query ? '&' : '?') + text;
  }
  const headers: Record<string, string> = {};
  for (const name of call.headers ?? []) {
    // Created once, so that the server recognizes a repeated request.
    if (name.toLowerCase() === IDEMPOTENCY_KEY) rest[name] ??= crypto.randomUUID();
    const style = call.styles?.[name];
    const styled = style && takeStyled(name, style, 'simple');
    // The receiver could not tell these commas and spaces from those between the items (RFC 9110 §5.6.1).
    if (styled && style.style !== 'json' && /%2C|(^|,)%20|%20(,|$)/.test(styled))
      refuse(`${name} cannot be sent exactly`);
    for (const text of style ? (styled ? [decodeURIComponent(styled)] : []) : take(name)) {
      // Surrounding spaces would be lost, and non-ASCII text may change (RFC 9110 §5.5).
      headers[name] = /^([!-~]([ -~]*[!-~])?)?$/.test(text) ? text : refuse(`${name} cannot be sent exactly`);
    }
  }

  const cookies = (call.cookies ?? []).map((name) =>
    takeStyled(name, call.styles?.[name] ?? { style: 'form', explode: false }, 'form'),
  );
  const cookie = cookies.filter(Boolean).join('; ');
  if (cookie) headers['Cookie'] = cookie;

  const { body, bodyFields } = call;
  if (bodyParameter && whole !== undefined) rest['body'] = whole;
  const known = body === 'fields' ? bodyFields : body ? ['body'] : [];
  const unknown = known && Object.keys(rest).find((name) => !known.includes(name));
  if (unknown !== undefined) refuse(`${unknown} is unknown`);
  const value = body === 'fields' ? rest : rest['body'];
  if (body === 'required' && value === undefined) refuse('body is missing');
  const sent = value === undefined ? { body: undefined } : bodyOf(value, call, refuse);
  return { target: path + query, headers, contentType: undefined, ...sent };
}

/** Only characters that would end it, or change, are encoded. */
const queryName = (name: string) => name.replace(/[%+&#=]/g, encodeURIComponent);

export function pathText(name: string, value: unknown, refuse: (why: string) => never): string {
  const text = isExact(value, 'bigint') ? `${value as string}` : '';
  if (!text) refuse(`${name} is missing`);
  // URLs lose dot segments (RFC 3986 §5.2.4): the request would go to another path.
  return /^\.\.?$/.test(text) ? refuse(`${name} cannot be sent exactly`) : encodeURIComponent(text);
}

const JSON_TYPE = 'application/json';
const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** A body as its media type writes it. Text or bytes in place of JSON or of a form are of the types for them. */
function bodyOf(
  value: unknown,
  { bodyType: type = JSON_TYPE, fieldStyles = {} }: Operation,
  refuse: (why: string) => never,
): Pick<RequestParts, 'body' | 'contentType'> {
  const isBytes = ArrayBuffer.isView(value) || value instanceof Blob;
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type);
  const isJson = /\bjson\b|^(\*|application)\/\*/.test(type);
  if (isJson && !isBytes)
    return { body: exactJson(value, refuse), contentType: type.includes('*') ? JSON_TYPE : type };
  if (isBytes || typeof value === 'string') {
    const plainType = isBytes ? 'application/octet-stream' : 'text/plain';
    // Or a type in a range such as image/*.
    const contentType = isForm || isJson ? plainType : type.replace('*', isBytes ? 'octet-stream' : 'plain');
    return { body: value as RequestInit['body'], contentType };
  }
  if (!isForm || Object(value) !== value) refuse(`body cannot be sent as ${type}`);
  const form = type.startsWith('multipart') ? new FormData() : new URLSearchParams();
  // As an empty value, like a parameter.
  const scalarText = (item: unknown) =>
    item === null ? '' : isExact(item, 'bigint') ? `${item as string}` : exactJson(item, refuse);
  const styled: string[] = [];
  for (const [name, field] of Object.entries(value as object)) {
    const style = fieldStyles[name];
    if (style && field !== undefined) styled.push(styledText(name, field, style, scalarText));
    else
      for (const item of [field].flat() as unknown[]) {
        if (item === undefined) continue;
        const isFile = ArrayBuffer.isView(item) || item instanceof Blob;
        if (isFile && form instanceof FormData)
          form.append(name, item instanceof Blob ? item : new Blob([item as Uint8Array<ArrayBuffer>]), name);
        else form.append(name, scalarText(item));
      }
  }
  if (styled.length > 0)
    return {
      body: [(form as URLSearchParams).toString(), ...styled].filter(Boolean).join('&'),
      contentType: type,
    };
  return { body: form, contentType: undefined };
}

/** The JSON text of a body. Unlike `JSON.stringify`, it rounds and omits nothing. */
function exactJson(body: unknown, refuse: (why: string) => never): string {
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
    return refuse(`${at} cannot be sent exactly`);
  }
}
