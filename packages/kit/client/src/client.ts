import { environmentProblem, keyProblem, limitsProblem, standardOptions } from '#platform';
import type { ClientContract } from './client-contract.ts';
import { checkedBaseUrl, isSameOrigin } from './address.ts';
import type { Clock, Hooks, Options } from './options.ts';
import { createSession, type Session } from './queue.ts';
import { platformClock } from './timer.ts';

/** The part of the service that requests need. */
export type Service = Pick<ClientContract, 'name' | 'version' | 'servers' | 'fetchKey' | 'writeKeys'>;

/** The state that all calls of a client share: its checked options, and the quota of its key. */
export interface Client extends Omit<Options, keyof Hooks | 'baseUrl'> {
  readonly service: Service;
  readonly baseUrl: string;
  readonly base: URL;
  readonly clock: Clock;
  readonly timeout: number;
  readonly budget: number;
  readonly maxAttempts: number;
  /** Hooks of the parent client come first. */
  readonly hooks: readonly Hooks[];
  /** Each is called only if no hook of its name is given. Pages have none. */
  readonly defaultHooks?: Hooks;
  readonly userAgent?: string;
  readonly session: Session;
}

/** Missing options come from `parent`. Throws a TypeError if an option is wrong. */
export function clientOf(service: Service, options: Options, parent?: Client): Client {
  const { fetchKey, servers } = service;
  const changes = givenOf(options);
  const { baseUrl, environment, ...others } = changes;
  // A fallback could reach another server than the one meant.
  if (environment && !Object.hasOwn(servers, environment)) throw new TypeError(environmentProblem(servers));
  const standard = standardOptions(service);
  const given = {
    ...(parent ?? {
      service,
      timeout: 30_000,
      budget: 90_000,
      maxAttempts: 4,
      clock: platformClock,
      ...standard,
    }),
    ...others,
    hooks: [...(parent?.hooks ?? []), changes],
  };
  const { apiKey, clock, allowInsecure, timeout, budget, maxAttempts } = given;
  if (!(Math.min(timeout, budget, maxAttempts) > 0)) throw new TypeError(limitsProblem());
  const isMoved = baseUrl ?? environment;
  const [first] = Object.values(servers);
  const named = environment ? servers[environment] : (standard.baseUrl ?? first);
  const base = parent && !isMoved ? parent.base : checkedBaseUrl(baseUrl ?? named ?? '', allowInsecure);
  const isOptional = isSameOrigin(base) || fetchKey?.anonymous;
  if (typeof apiKey !== 'function' && (apiKey !== undefined || !isOptional)) checkedKey(apiKey, service.name);
  // Another key or address has separate limits.
  const session = parent && !changes.apiKey && !isMoved ? parent.session : createSession(clock);
  return { ...given, base, baseUrl: base.href.replace(/\/$/, ''), session };
}

export function givenOf<Given extends object>(
  options: Given,
): { [Name in keyof Given]: Exclude<Given[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/** Returns the key, or throws a TypeError that does not contain it, as the one that `Headers` throws would. */
export function checkedKey(key: unknown, name?: string): string {
  if (typeof key === 'string' && /^[!-~]+$/.test(key)) return key;
  throw new TypeError(keyProblem(key, name));
}
