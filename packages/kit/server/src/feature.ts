import type { Command } from 'commander';
import type { Contract } from '@kit/contract';
import type { Table } from './database/columns.ts';
import type { Database } from './database/sql.ts';
import type { AnyHandler } from './pipeline/dispatch.ts';
import type { ErrorBodyMaker } from './validation/error-bodies.ts';

/** A table of a feature, with a primary key named `id`. */
export interface FeatureTable<Item = unknown> {
  readonly table: Table<Item>;
  /** Loads what holds a row against the contract, as an import does. It throws InvalidRecord. */
  readonly loadParse: () => Promise<(value: unknown) => unknown>;
}

/** What the handlers of a feature work with. */
export interface Services<Store> {
  readonly store: Store;
  /** The time in epoch milliseconds. */
  readonly now: () => number;
  /** Resolves in a turn of the event loop of its own: what is read in batches leaves room for other requests. */
  readonly batchTurn: () => Promise<void>;
}

/** Opens the store of a feature for one command, and closes it. */
export type WithStore<Store> = <Result>(
  work: (store: Store) => Promise<Result>,
  options?: { readonly mayCreate?: boolean },
) => Promise<Result>;

/** An area of the API: what it keeps, what it answers, and what its operator can do. */
export interface Feature<Store, Handlers extends object> {
  readonly tables: readonly FeatureTable<never>[];
  /** Other tables that must be there for requests to be served. */
  readonly otherTables?: readonly string[];
  /** The folder with `sqlite/` and `postgres/`, in which SQL files are numbered from 0001. */
  readonly migrations?: string;
  readonly open: (database: Database) => Store | Promise<Store>;
  /** The handlers of its operations, by operationId. */
  readonly handlers: (services: Services<Store>) => Handlers;
  /** Adds its commands to `program`. */
  readonly commands?: (program: Command, withStore: WithStore<Store>) => void;
  /** Fills an empty store with something to try things on. */
  readonly demo?: (store: Store) => Promise<void>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- `open` returns the store and `demo` takes it: no other type admits every feature.
export type AnyFeature = Feature<any, object>;
export type Features = Readonly<Record<string, AnyFeature>>;

/** The store of each feature, by the feature's name. */
export type StoresOf<Of extends Features> = {
  readonly [Name in keyof Of]: Of[Name] extends Feature<infer Store, object> ? Store : never;
};

type HandledBy<Of extends Features> = {
  [Name in keyof Of]: keyof ReturnType<Of[Name]['handlers']>;
}[keyof Of];

/** A service as a value. */
export interface ServiceDefinition<Of extends Features = Features> {
  readonly contract: Contract;
  readonly features: Of;
  /** The version of the program. */
  readonly version: string;
  /** What the command's help begins with. */
  readonly description: string;
  /** Makes the errors of the pipeline, unless the shapes that the contract declares say enough. */
  readonly errorBody?: ErrorBodyMaker;
  /**
   * The folder of the migrations by which the stores of this service were made before its features had their own, with
   * `sqlite/` and `postgres/`. They take the place of the kit's of the same numbers.
   */
  readonly pastMigrations?: string;
}

/** Puts a service together. An operation that no feature handles does not compile. */
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

/** The handlers of all features. */
export function handlersOf(
  { features }: ServiceDefinition,
  stores: Readonly<Record<string, unknown>>,
  services: Omit<Services<unknown>, 'store'>,
): Record<string, AnyHandler> {
  // Which handler belongs to which input is checked where handlers are written; here any one meets any request.
  return Object.fromEntries(
    Object.entries(features).flatMap(([name, { handlers }]) =>
      Object.entries(handlers({ ...services, store: stores[name] }) as Record<string, AnyHandler>),
    ),
  );
}
