import { parametersIn } from './header-parameters.ts';

/** The media type in lower case, without its parameters (RFC 9110 §8.3.1). */
export function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** The parameters of a media type, in lower case but for their values, without the character set. */
export function parametersOf(type: string): string[] {
  const [, ...parameters] = type.split(';');
  return parameters
    .map((parameter) =>
      parameter
        .trim()
        .replace(/^[^=]*/, (name) => name.toLowerCase())
        .replaceAll('"', ''),
    )
    .filter((parameter) => parameter !== '' && !parameter.startsWith('charset='));
}

/** Whether `type` is one media type, not a range, and can be read (RFC 9110 §8.3.1). */
export function isMediaType(type: string): boolean {
  const [essence = ''] = type.split(';', 1);
  return /^[\w!#$%&'+.^`|~-]+\/[\w!#$%&'+.^`|~-]+$/.test(essence.trim()) && parametersIn(type) !== undefined;
}

/**
 * The entry for a Content-Type: of the types with the same name the one whose parameters were sent, otherwise the
 * narrowest range (RFC 9110 §12.5.1). Undefined if there is none, or if `sent` is no media type.
 */
export function matching<Media extends { readonly type: string }>(
  content: readonly Media[],
  sent: string,
): Media | undefined {
  if (!isMediaType(sent)) return undefined;
  const essence = essenceOf(sent);
  const same = content.filter(({ type }) => essenceOf(type) === essence);
  if (same.length === 1) return same[0];
  if (same.length > 1) {
    const given = parametersOf(sent);
    const fitting = same.filter(({ type }) => parametersOf(type).every((item) => given.includes(item)));
    return fitting.sort((a, b) => parametersOf(b.type).length - parametersOf(a.type).length)[0];
  }
  const [main = '', sub = ''] = essence.split('/');
  const suffix = sub.includes('+') ? sub.split('+').at(-1) : '';
  const ranges = [`${main}/*+${suffix}`, `${main}/*`, '*/*'];
  return ranges
    .map((range) => content.find(({ type }) => essenceOf(type) === range))
    .find((media) => media !== undefined);
}

/** Whether a media type is another one or in its range, such as `image/*`. */
export function isWithin(type: string, range: string): boolean {
  const [essence, wanted] = [essenceOf(type), essenceOf(range)];
  return wanted === essence || (wanted.endsWith('*') && essence.startsWith(wanted.replace(/\*.*/, '')));
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
  return /^(text\/.*|application\/(xml|javascript|jsonl|(x-)?(ndjson|yaml))|.*\+(xml|yaml))$/.test(
    essenceOf(type),
  );
}

/** The type in a range such as `image/*` of a body that names none. */
export function typeInRange(range: string, subtype = isText(range) ? 'plain' : 'octet-stream'): string {
  return range.replace(/^\*/, 'application').replace('*', subtype);
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

export function bodyKindOf(type: string): BodyKind {
  if (isJson(type)) return 'json';
  if (/^(application\/x-www-form-urlencoded|multipart\/form-data)$/.test(essenceOf(type))) return 'form';
  return isText(type) ? 'text' : 'bytes';
}
