import { servers } from '@petstore/contract';

const ALL = (
  'signal timeout budget maxAttempts headers apiKey baseUrl environment allowInsecure fetch clock random logger ' +
  'onRequest onResponse onRetry onDeprecation'
).split(' ');
/** The options of a call. */
export const OF_CALLS = ALL.slice(0, 5);

type Given<Options> = { [Name in keyof Options]: Exclude<Options[Name], undefined> };

/** The options of a client, or of a call, that are given. Calls `refuse`, which throws, where one is wrong. */
export function checked<Options extends object>(
  options: Options,
  refuse: (why: string) => never,
  isCall?: boolean,
): Given<Options> {
  if (Object(options) !== options) refuse('options must be a plain object');
  const places = Object.keys(servers);
  const names = isCall ? OF_CALLS : ALL.slice(1);
  const given = Object.entries<unknown>(options as Record<string, unknown>).filter(([name, value]) => {
    const must = (what: string) => refuse(`${name} must be ${what}`);
    if (!names.includes(name)) refuse(`option ${unknown(name, names)}`);
    if (value === undefined) return false;
    if (name === 'environment' && !places.includes(value as string))
      refuse(`environment ${unknown(`${value as string}`, places)}`);
    if (/^(timeout|budget|max)/.test(name) && !(typeof value === 'number' && value > 0))
      must(`a number above 0${name === 'maxAttempts' ? '' : ', of milliseconds'}`);
    if (name === 'signal' && !(Object(value) as Partial<AbortSignal>).addEventListener)
      must('an AbortSignal');
    if (name === 'logger' && !(Object(value) as { debug?: unknown }).debug) must('an object with debug');
    if (/^(on|fetch|random)/.test(name) && typeof value !== 'function') must('a function');
    return true;
  });
  return Object.fromEntries(given) as Given<Options>;
}

/** Says so, and which of these names has most pairs of letters of `word`. */
export function unknown(word: string, names: readonly string[]): string {
  const likeness = (name: string) =>
    [...word].filter((_, at) => name.toLowerCase().includes(word.slice(at, at + 2).toLowerCase())).length;
  const [nearest] = [...names].sort((one, other) => likeness(other) - likeness(one));
  return `${word} is unknown${nearest ? `; did you mean ${nearest}?` : ''}`;
}

/** What is wrong with a key, by the commonest mistakes. */
export function problemOfKey(key: unknown): string | undefined {
  if (!key) return 'is empty: pass it, or set PETSTORE_API_KEY';
  if (typeof key !== 'string') return 'must be a text or a function';
  if (/^bearer /i.test(key)) return 'begins with "Bearer ": leave that out';
  if (/\s/.test(key)) return 'has a space or line break: trim it';
  return /[^!-~]/.test(key) ? 'is not ASCII' : undefined;
}
