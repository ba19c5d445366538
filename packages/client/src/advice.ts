import { basePath, servers } from '@petstore/contract/published';

const ALL = (
  'signal timeout budget maxAttempts headers apiKey baseUrl environment allowInsecure fetch clock random logger ' +
  'onRequest onResponse onRetry onDeprecation'
).split(' ');
/** The options of a call. */
export const OF_CALLS = ALL.slice(0, 5);

/** Says what is wrong with the options of a call, or with those of a client. */
export function problemOf(options: unknown, isCall?: boolean): string | undefined {
  if (Object(options) !== options) return 'options must be an object';
  const places = Object.keys(servers);
  const names = isCall ? OF_CALLS : ALL.slice(1);
  for (const [name, value] of Object.entries(options as object) as [string, unknown][]) {
    if (!names.includes(name)) return `option ${unknown(name, names)}`;
    if (value === undefined) continue;
    if (name === 'environment' && !places.includes(value as string))
      return `environment ${unknown(`${value as string}`, places)}`;
    if (/^(timeout|budget|max)/.test(name) && !(typeof value === 'number' && value > 0))
      return `${name} must be a number above 0${name === 'maxAttempts' ? '' : ', of milliseconds, such as 30_000'}`;
    if (name === 'signal' && !(Object(value) as Partial<AbortSignal>).addEventListener)
      return 'signal must be an AbortSignal';
    if (/^(on|fetch|random)/.test(name) && typeof value !== 'function') return `${name} must be a function`;
  }
  return;
}

/** Says so, and which of these names has most pairs of letters of `word`. */
export function unknown(word: string, names: readonly string[]): string {
  const likeness = (name: string) =>
    [...word].filter((_, at) => name.toLowerCase().includes(word.slice(at, at + 2).toLowerCase())).length;
  const [nearest] = [...names].sort((one, other) => likeness(other) - likeness(one));
  return `${word} is unknown${nearest ? `; did you mean ${nearest}?` : ''}`;
}

/** What of the commonest mistakes a key shows. */
export function adviceOnKey(key: unknown): string {
  if (!key) return 'is empty: pass it, or set PETSTORE_API_KEY';
  if (typeof key !== 'string') return 'must be a text or a function';
  if (/^bearer /i.test(key)) return 'begins with "Bearer ": leave that out';
  return /\s/.test(key) ? 'has a space or line break: trim it' : 'is not ASCII';
}

/** What may be behind a response that is not of the API. */
export function adviceOnReply(
  status: number,
  code: string | undefined,
  url: string,
  location: string | null,
): string {
  if (location) return `: a redirect to ${location}`;
  return status === 404 && (!code || code === 'not_found') && !url.includes(`${basePath}/`)
    ? `: there is nothing at ${url}; does baseUrl end in ${basePath}?`
    : '';
}
