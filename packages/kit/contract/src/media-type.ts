import type { JsonObject } from './json-pointer.ts';

/** The media type without its parameters, in lower case (RFC 9110 §8.3.1). */
export function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Whether bodies of the type are JSON: `+json` (RFC 6839 §3.1) and ranges that include it are. */
export function isJson(type: string): boolean {
  return /^(application\/(json|\*)|\*\/\*|text\/json|[^/]+\/[^/]+\+json)$/.test(essenceOf(type));
}

/** The entry of `content` that is served: JSON if there is one, otherwise the first. */
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

/** Whether bodies of the type are text: others are bytes. */
export function isText(type: string): boolean {
  return /^(text\/.*|application\/(xml|javascript|x-ndjson|yaml)|.*\+(xml|yaml))$/.test(essenceOf(type));
}

/** Whether a part of a form that has this schema is bytes: OpenAPI 3.0 says it by `format`, 3.1 by the media type. */
export function isBinary({ format, contentMediaType: type, contentEncoding }: JsonObject): boolean {
  return (
    format === 'binary' ||
    (typeof type === 'string' && contentEncoding === undefined && bodyKindOf(type) === 'bytes')
  );
}

/** Which of `entries`, such as the responses of an operation, is for a status: itself, its range, or `default`. */
export function entryKeyOf(entries: object, status: number): string | undefined {
  return [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((key) => key in entries);
}

/** What `entries` say of a status. */
export function entryOf<Entry>(entries: Readonly<Record<string, Entry>>, status: number): Entry | undefined {
  return entries[status] ?? entries[`${Math.floor(status / 100)}XX`] ?? entries['default'];
}

/** What a body of the type is to a program: a value of JSON, the fields of a form, text, or bytes. */
export type BodyKind = 'json' | 'form' | 'text' | 'bytes';

export function bodyKindOf(type: string): BodyKind {
  if (isJson(type)) return 'json';
  if (/^(application\/x-www-form-urlencoded|multipart\/form-data)$/.test(essenceOf(type))) return 'form';
  return isText(type) ? 'text' : 'bytes';
}
