import type { ClientContract } from '@kit/contract';
import { environmentProblem } from '#advice';
import { addressOf, isOwn } from './address.ts';
import { platformClock } from './clock.ts';
import type { Hook, Clock, Options } from './options.ts';
import { checkedKey, checkedOptions, variableOf } from './options-check.ts';
import { environmentOf, userAgentOf } from './platform.ts';
import { createSession, type Session } from './session.ts';

/** The service, as far as requests need to know it. */
export type Service = Pick<ClientContract, 'name' | 'version' | 'servers'> &
  Partial<Pick<ClientContract, 'operations'>>;

const HOOKS = ['onRequest', 'onResponse', 'onRetry', 'onWait', 'onDeprecation'] as const;
export type HookName = (typeof HOOKS)[number];

/** What all calls of a client share: its options, checked, and what is known of its key. */
export interface Client extends Omit<Options, HookName | 'baseUrl'> {
  readonly service: Service;
  readonly baseUrl: string;
  readonly base: URL;
  readonly clock: Clock;
  readonly timeout: number;
  readonly budget: number;
  readonly maxAttempts: number;
  /** Those of the client that this one was derived from come first. */
  readonly hooks: Readonly<Partial<Record<HookName, readonly Hook<never>[]>>>;
  readonly userAgent: string | undefined;
  readonly session: Session;
}

/** Options that are not given are those of `parent`. Throws a TypeError if an option is wrong. */
export function clientOf(service: Service, options: Options, parent?: Client): Client {
  const { operations = {}, servers } = service;
  const changes = checkedOptions(options, (why) => {
    throw new TypeError(why);
  });
  const { baseUrl, environment, ...others } = changes;
  // Another server than the one that was meant could be reached.
  if (environment && !Object.hasOwn(servers, environment)) throw new TypeError(environmentProblem(servers));
  const variable = (name: string) => environmentOf(variableOf(service, name));
  const given = {
    ...(parent ?? {
      service,
      timeout: 30_000,
      budget: 90_000,
      maxAttempts: 4,
      apiKey: variable('API_KEY'),
      clock: platformClock,
      // Standard output belongs to the program.
      logger: variable('LOG') === 'debug' ? { debug: console.error } : undefined,
      userAgent: userAgentOf(service),
    }),
    ...others,
  };
  const hooks: Partial<Record<HookName, Hook<never>[]>> = {};
  for (const name of HOOKS) {
    const own = changes[name] as Hook<never> | undefined;
    hooks[name] = [...(parent?.hooks[name] ?? []), ...(own ? [own] : [])];
  }
  const { apiKey, clock, allowInsecure } = given;
  const named = environment ? servers[environment] : variable('BASE_URL');
  const standard = servers['production'] ?? Object.values(servers)[0] ?? '';
  const isMoved = baseUrl ?? environment;
  const base = parent && !isMoved ? parent.base : addressOf(baseUrl ?? named ?? standard, allowInsecure);
  const isOptional = isOwn(base) || Object.values(operations).some(({ anonymous }) => anonymous);
  if (typeof apiKey !== 'function' && (apiKey !== undefined || !isOptional)) checkedKey(apiKey, service);
  // Another key, or another address, has limits of its own.
  const session = parent && !changes.apiKey && !isMoved ? parent.session : createSession(clock);
  return { ...given, base, baseUrl: base.href.replace(/\/$/, ''), hooks, session };
}
