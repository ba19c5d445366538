import type { Command } from 'commander';
import type { Contract } from '@kit/contract';
import type { Database } from './database/sql.ts';
import type { Authenticate } from './keys/identify.ts';
import type { AnyHandler } from './pipeline/dispatch.ts';
import type { ErrorBodyMaker } from './validation/error-bodies.ts';

/** What the handlers of a feature work with. */
export interface Services<Store> {
  readonly store: Store;
  /** The time in epoch milliseconds. */
  readonly now: () => number;
}

/** Opens the store of a feature for one command, and closes it. */
export type WithStore<Store> = <Result>(
  work: (store: Store) => Promise<Result>,
  options?: { readonly mayCreate?: boolean },
) => Promise<Result>;

/** An area of the API: its data, handlers and commands. */
export interface Feature<Store, Handlers extends object> {
  /**
   * The folder with `sqlite/` and `postgres/`, with SQL files numbered from 0001. Features migrate in the order in which
   * the service lists them, so a table may refer to one of an earlier feature.
   */
  readonly migrations?: string;
  readonly open: (database: Database) => Store | Promise<Store>;
  readonly handlers: (services: Services<Store>) => Handlers;
  /** Adds its commands to `program`. */
  readonly commands?: (program: Command, withStore: WithStore<Store>) => void;
  /** Fills an empty store with demonstration data. */
  readonly demo?: (store: Store) => Promise<void>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- `open` returns the store and `demo` takes it: no other type admits every feature.
export type AnyFeature = Feature<any, object>;
export type Features = Readonly<Record<string, AnyFeature>>;

export type StoresOf<Of extends Features> = {
  readonly [Name in keyof Of]: Of[Name] extends Feature<infer Store, object> ? Store : never;
};

type HandledBy<Of extends Features> = {
  [Name in keyof Of]: keyof ReturnType<Of[Name]['handlers']>;
}[keyof Of];

export interface ServiceDefinition<Of extends Features = Features> {
  readonly contract: Contract;
  readonly features: Of;
  readonly version: string;
  /** The first line of the command's help. */
  readonly description: string;
  /** Makes the bodies of pipeline errors, if the shapes in the contract are not enough. */
  readonly errorBody?: ErrorBodyMaker;
  /** Knows the holders of tokens that are no API keys of the service. */
  readonly authenticate?: Authenticate;
}

/** Puts a service together: its features migrate in their order. An operation that no feature handles does not compile. */
export function defineService<Operations, Of extends Features>(
  contract: Contract<Operations>,
  features: Of &
    ([keyof Operations] extends [HandledBy<Of>]
      ? unknown
      : { readonly unhandled: Exclude<keyof Operations, HandledBy<Of>> }),
  rest: Omit<ServiceDefinition, 'contract' | 'features'>,
): ServiceDefinition<Of> {
  return { contract, features, ...rest };
}

export function handlersOf(
  { features }: ServiceDefinition,
  stores: Readonly<Record<string, unknown>>,
  services: Omit<Services<unknown>, 'store'>,
): Record<string, AnyHandler> {
  // The compiler checks handlers and inputs where handlers are written. Here any handler takes any input.
  return Object.fromEntries(
    Object.entries(features).flatMap(([name, { handlers }]) =>
      Object.entries(handlers({ ...services, store: stores[name] }) as Record<string, AnyHandler>),
    ),
  );
}
