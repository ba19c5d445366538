import { keyProblem, optionsProblem } from '#advice';

type Given<Options> = { [Name in keyof Options]: Exclude<Options[Name], undefined> };

/** The options that are not `undefined`. Calls `refuse`, which throws, if one is known to be wrong. */
export function checkedOptions<Options extends object>(
  options: Options,
  refuse: (why: string) => never,
): Given<Options> {
  const problem = optionsProblem(options);
  if (problem) refuse(problem);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<Options>;
}

/** The environment variable of the service. */
export function variableOf(service: { readonly name: string }, name: string): string {
  return `${service.name.toUpperCase().replaceAll('-', '_')}_${name}`;
}

/** Returns the key, or throws a TypeError that does not contain it, as the one that `Headers` throws would. */
export function checkedKey(key: unknown, service: { readonly name: string }): string {
  if (typeof key === 'string' && /^[!-~]+$/.test(key)) return key;
  throw new TypeError(keyProblem(key, variableOf(service, 'API_KEY')));
}
