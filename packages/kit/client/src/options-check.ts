/** What an option must be, in words, and whether a value is that. */
type Check = readonly [must: string, holds: (value: unknown) => boolean];

const isAbove0 = (value: unknown) => typeof value === 'number' && value > 0;
const duration: Check = ['a number of milliseconds above 0', isAbove0];
const callback: Check = ['a function', (value) => typeof value === 'function'];

const CHECKS: Readonly<Record<string, Check | undefined>> = {
  timeout: duration,
  budget: duration,
  maxAttempts: ['a number above 0', isAbove0],
  signal: ['an AbortSignal', (value) => value instanceof AbortSignal],
  fetch: callback,
};

type Given<Options> = { [Name in keyof Options]: Exclude<Options[Name], undefined> };

/** The options that are not `undefined`. Calls `refuse`, which throws, if a value would lead to a wrong request. */
export function checkedOptions<Options extends object>(
  options: Options,
  servers: object,
  refuse: (why: string) => never,
): Given<Options> {
  if (Object(options) !== options) refuse('options must be a plain object');
  const given = Object.entries(options as Record<string, unknown>).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const check = /^on[A-Z]/.test(name) ? callback : CHECKS[name];
    if (check && !check[1](value)) refuse(`${name} must be ${check[0]}`);
    if (name === 'environment' && !Object.hasOwn(servers, value as string))
      refuse(`${name} must be one of ${Object.keys(servers).join(', ')}`);
  }
  return Object.fromEntries(given) as Given<Options>;
}

/** Returns the key, or throws a TypeError that does not contain it, as the one that `Headers` throws would. */
export function checkedKey(key: unknown, service: { readonly name: string }): string {
  const variable = service.name.toUpperCase().replaceAll('-', '_');
  if (!key) throw new TypeError(`apiKey is missing: pass it, or set ${variable}_API_KEY`);
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key))
    throw new TypeError('apiKey must be the key alone: ASCII text without spaces or "Bearer "');
  return key;
}
