import type { JsonObject } from './json-pointer.ts';

/** The media type in lower case, without its parameters (RFC 9110 §8.3.1). */
export function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Whether bodies of the type are JSON, including `+json` (RFC 6839 §3.1) and ranges that match JSON. */
export function isJson(type: string): boolean {
  return /^(application\/(json|\*)|\*\/\*|text\/json|[^/]+\/[^/]+\+json)$/.test(essenceOf(type));
}

/** The entry of `content` to serve: JSON if possible, otherwise the first. */
export function preferred<Media>(
  content: Readonly<Record<string, Media>> = {},
): readonly [type: string, media: Media] | undefined {
  const entries = Object.entries(content);
  return (
    entries.find(([type]) => essenceOf(type) === 'application/json') ??
    entries.find(([type]) => isJson(type)) ??
    entries[0]
  );
}

/** Whether bodies of the type are text rather than bytes. */
export function isText(type: string): boolean {
  return /^(text\/.*|application\/(xml|javascript|x-ndjson|yaml)|.*\+(xml|yaml))$/.test(essenceOf(type));
}

/** Whether a form part with this schema is bytes: OpenAPI 3.0 uses `format`, 3.1 the media type. */
export function isBinary({ format, contentMediaType: type, contentEncoding }: JsonObject): boolean {
  return (
    format === 'binary' ||
    (typeof type === 'string' && contentEncoding === undefined && bodyKindOf(type) === 'bytes')
  );
}

/** The key in `entries`, such as an operation's responses, for a status: the status, its range, or `default`. */
export function entryKeyOf(entries: object, status: number): string | undefined {
  return [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((key) => key in entries);
}

export function entryOf<Entry>(entries: Readonly<Record<string, Entry>>, status: number): Entry | undefined {
  return entries[status] ?? entries[`${Math.floor(status / 100)}XX`] ?? entries['default'];
}

/** The most bytes of a JSON body, and of one that is skipped, unless `x-body-limit` is set. */
export const JSON_LIMIT = 100_000;

/** What a program gets for a body of the type: a JSON value, form fields, text, or bytes. */
export type BodyKind = 'json' | 'form' | 'text' | 'bytes';

/** The kind of a request body: bytes for a range of media types without a schema, or with one of bytes. */
export function requestKindOf(type: string, schema: JsonObject | undefined): BodyKind {
  return type.includes('*') && isJson(type) && (!schema || isBinary(schema)) ? 'bytes' : bodyKindOf(type);
}

export function bodyKindOf(type: string): BodyKind {
  if (isJson(type)) return 'json';
  if (/^(application\/x-www-form-urlencoded|multipart\/form-data)$/.test(essenceOf(type))) return 'form';
  return isText(type) ? 'text' : 'bytes';
}
