import type { Command } from 'commander';
import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Contract } from '@contract-kit/core';
import type { Database } from './database/sql.ts';
import { checkSettingNames } from './config.ts';
import type { Feed, FeedWriter } from './feed/feed.ts';
import { ENTRIES_KEPT_FOR, type TopicOptions } from './feed/topics.ts';
import { declareJob } from './jobs/job.ts';
import type { AnyJob, DeclaredJob, DeclaredJobs, JobDefinition, JobRun, Jobs } from './jobs/job.ts';
import type { Identity } from './keys/identify.ts';
import type { TokenRequest } from './keys/identity-provider.ts';
import type { AnyHandler } from './pipeline/dispatch.ts';
import type { ServiceSettings, SettingsOf } from './settings.ts';
import type { ErrorBodyMaker } from './validation/error-bodies.ts';

/** What a feature needs of its service. One that lacks it does not compile. */
export interface Needs {
  /** Stores of other features, by their names in the service, or the part of each that is used. */
  readonly stores?: object;
  /** Values of the service's settings. */
  readonly settings?: object;
  /** The payloads of topics of the feed, by their names. */
  readonly topics?: object;
  /** The payloads of the jobs that it adds, by their names in the service. */
  readonly jobs?: object;
}

type TopicsOf<Needed extends Needs> = Needed extends { readonly topics: infer Topics } ? Topics : object;

/** The store of a feature, and the stores and jobs of others that it needs. */
export interface StoresInReach<Store, Needed extends Needs = {}> {
  readonly store: Store;
  readonly stores: Needed extends { readonly stores: infer Stores } ? Stores : object;
  /** Appends to the feed: in a transaction if it commits. */
  readonly feed: FeedWriter<TopicsOf<Needed>>;
  /** Adds jobs: those of a transaction if it commits. */
  readonly jobs: Jobs<Needed extends { readonly jobs: infer Payloads extends object } ? Payloads : {}>;
}

/**
 * What a feature works with.
 *
 * @example
 * type Needs = { stores: { invoices: InvoiceStore } };
 *
 * export function paymentHandlers({ transaction, metrics, now }: Services<PaymentStore, Needs>) {
 *   const paid = new Counter({ name: 'payments_total', help: 'Payments.', registers: [metrics] });
 *   return {
 *     createPayment: ({ body }) =>
 *       transaction(async ({ store, stores }) => {
 *         await stores.invoices.markPaid(body.invoiceId);
 *         paid.inc();
 *         return { status: 201, body: await store.add(body, new Date(now())) };
 *       }),
 *   };
 * }
 */
export interface Services<Store, Needed extends Needs = {}> extends StoresInReach<Store, Needed> {
  /** A log by topic, for streams of changes. In a transaction, append by the one that it gets. */
  readonly feed: Feed<TopicsOf<Needed>>;
  /**
   * Runs `work` in one transaction over all stores, which it gets as arguments. Commits if it resolves, and rolls back if
   * it rejects. In SQLite other writing statements wait for it, for at most 2 s; in PostgreSQL (read committed) those of
   * the same rows, for at most 5 s: call nothing slow in it. PostgreSQL rolls it back after 10 s without a statement. In
   * PostgreSQL, a row that it reads may have changed before it writes: put the condition into the UPDATE, or read with
   * `FOR UPDATE`. It opens the stores again, so `open` of a feature only creates its store. Throws ConstraintError, which
   * ends it in PostgreSQL, so catch it outside; and StoreUnavailable.
   */
  readonly transaction: <Result>(
    work: (stores: StoresInReach<Store, Needed>) => Promise<Result>,
  ) => Promise<Result>;
  /** The values of the settings that `defineService` declares. */
  readonly settings: Needed extends { readonly settings: infer Values } ? Values : object;
  /** A pino logger with the name of the feature. That of a request is in the handler's context. */
  readonly log: Logger;
  /** The registry of prom-client behind `/metrics`. Pass it as `registers` to a metric. */
  readonly metrics: Registry;
  /** The time in epoch milliseconds. */
  readonly now: () => number;
}

/** The services of what belongs to no feature: `authenticate`, `middleware` and `extend`. `stores` has those of all features. */
export type SharedServices<Needed extends Needs = {}> = Omit<Services<undefined, Needed>, 'store'>;

/**
 * The holder of a token that a request sends; undefined if it is not valid. Throw an InvalidToken to say why. If it throws
 * anything else, or takes more than 5 seconds, the request gets 503: the token may be valid. Requests that come with the
 * same token meanwhile wait for the same result, unless a header that was read differs.
 */
export type Authenticate<Needed extends Needs = {}> = (
  token: string,
  request: TokenRequest,
  services: SharedServices<Needed>,
) => Identity | undefined | Promise<Identity | undefined>;

/** Express middleware, or a function that makes it from the services. */
export type Middleware<Needed extends Needs = {}> =
  readonly RequestHandler[] | ((services: SharedServices<Needed>) => readonly RequestHandler[]);

/** The services of a command. The settings are read when `settings` is: others may be wrong until then. */
export type CommandServices<Store, Needed extends Needs = {}> = Pick<
  Services<Store, Needed>,
  'stores' | 'transaction' | 'jobs' | 'settings' | 'now'
>;

/** Opens the store of a feature for one command, and closes it. */
export type WithStore<Store, Needed extends Needs = {}> = <Result>(
  work: (store: Store, services: CommandServices<Store, Needed>) => Promise<Result>,
  options?: { readonly mayCreate?: boolean },
) => Promise<Result>;

/** Runs until it is done or `signal` aborts. It is started again if it rejects. */
type Work<Given> = (services: Given, signal: AbortSignal) => Promise<void> | void;

/**
 * Work besides requests. With `once` it runs on one instance at a time: in PostgreSQL under an advisory lock, 15 s after
 * its instance got it. Then `signal` also aborts within 5 s of losing the connection or the right to write, and within
 * 10 s of a failover by name, and another instance takes over. `transaction` commits only under the lock. A step may have
 * been done before its instance was lost, and a stopped process may do one more outside of the database, so each step must
 * bear a repeat.
 *
 * @example
 * background: {
 *   once: true,
 *   async run({ store, now }, signal) {
 *     for await (const _ of setInterval(60_000, undefined, { signal })) await store.remindLate(new Date(now()));
 *   },
 * }
 */
export type Background<Given> = Work<Given> | { readonly once: true; readonly run: Work<Given> };

/**
 * Work that follows a request: it is stored, and run at least once.
 *
 * @example
 * jobs: {
 *   sendReceipt: {
 *     parse: recordCheck<Receipt>(contract.document, 'Receipt'),
 *     async run(receipt, { id, settings, signal }) {
 *       const headers = { 'Idempotency-Key': id };
 *       await fetch(settings.MAIL_URL, { method: 'POST', headers, body: JSON.stringify(receipt), signal });
 *     },
 *   },
 * }
 */
export type Job<Payload, Store, Needed extends Needs = {}> = JobDefinition<
  Payload,
  Omit<Services<Store, Needed>, 'log'> &
    JobRun & {
      /**
       * Runs `work` as `transaction` does, and the job is done if that commits: what it changes is changed once, also if
       * the process dies.
       */
      readonly finish: Services<Store, Needed>['transaction'];
    }
>;

/** An area of the API: its data, handlers, commands, background work and jobs. `Payloads` are those of its jobs, by name. */
export interface Feature<
  Store,
  Handlers extends object,
  Needed extends Needs = {},
  Payloads extends object = {},
> {
  /**
   * The folder with `sqlite/` and `postgres/`, with SQL files numbered from 0001. Features migrate in the order in which
   * the service lists them, so a table may refer to one of an earlier feature.
   */
  readonly migrations?: string;
  readonly open: (database: Database) => Store | Promise<Store>;
  /** The topics of the feed that the feature uses. */
  readonly topics?: Readonly<Record<string, TopicOptions>>;
  readonly handlers: (services: Services<Store, Needed>) => Handlers;
  /** Adds its commands to `program`. */
  readonly commands?: (program: Command, withStore: WithStore<Store, Needed>) => void;
  /**
   * Work besides requests. It starts when the service listens, and has to end when its signal aborts: the store closes
   * after it, or at the end of the grace period.
   */
  readonly background?: Background<Services<Store, Needed>>;
  /** Its jobs, by names that no other feature has. Any instance runs them, from when the service listens. */
  readonly jobs?: { readonly [Name in keyof Payloads]: Job<Payloads[Name], Store, Needed> };
  /** Fills an empty store with demonstration data. */
  readonly demo?: (store: Store) => Promise<void>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- `open` returns the store and `demo` takes it: no other type admits every feature.
export type AnyFeature = Omit<Feature<any, object, any>, 'jobs'> & {
  readonly jobs?: Readonly<Record<string, AnyJob>>;
};
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the compiler checks them in `defineService`.
type AnyNeeds = { readonly stores: any; readonly settings: any; readonly topics: any; readonly jobs: any };
export type Features = Readonly<Record<string, AnyFeature>>;

export type StoresOf<Of extends Features> = {
  readonly [Name in keyof Of]: Of[Name] extends { readonly open: (...args: never[]) => infer Opened }
    ? Awaited<Opened>
    : never;
};

/** What a service has for its features. */
interface Has<Of extends Features, Settings extends ServiceSettings> {
  readonly stores: StoresOf<Of>;
  readonly settings: SettingsOf<Settings>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- `append` and `after` refuse a topic that no feature declares; the compiler does not know it.
  readonly topics: any;
  readonly jobs: PayloadsOf<Of>;
}

/** The jobs of each feature. */
type JobsOf<Of extends Features> = { [Name in keyof Of]: NonNullable<Of[Name]['jobs']> }[keyof Of];
type NamesIn<Jobs> = Jobs extends unknown ? keyof Jobs : never;
type PayloadIn<Jobs, Name extends PropertyKey> =
  Jobs extends Readonly<Record<Name, { parse: (value: unknown) => infer Payload }>> ? Payload : never;
/** The payloads of all jobs, by name. */
type PayloadsOf<Of extends Features> = {
  readonly [Name in NamesIn<JobsOf<Of>>]: PayloadIn<JobsOf<Of>, Name>;
};

/** The features that need a store, a setting or a job which the service lacks. */
type Unmet<Of extends Features, Settings extends ServiceSettings> = {
  [Name in keyof Of]: Of[Name] extends Feature<StoresOf<Of>[Name], object, infer Needed>
    ? Has<Of, Settings> extends Needed
      ? never
      : Name
    : never;
}[keyof Of];

type HandledBy<Of extends Features> = {
  [Name in keyof Of]: keyof ReturnType<Of[Name]['handlers']>;
}[keyof Of];

/** The operations that a feature and another one both handle, as far as their names are known. */
type HandledTwice<Of extends Features> = {
  [Name in keyof Of]: Named<keyof ReturnType<Of[Name]['handlers']>> & Named<HandledBy<Omit<Of, Name>>>;
}[keyof Of];
type Named<Ids> = string extends Ids ? never : Ids;

export interface ServiceDefinition<Of extends Features = Features> {
  readonly contract: Contract;
  readonly features: Of;
  readonly version: string;
  /** The first line of the command's help. */
  readonly description: string;
  /**
   * Makes the bodies of pipeline errors whose fields are not `code`, `message` and `status`; undefined leaves a body to the
   * kit. The service does not start without it where the contract needs it, nor if its result does not fit a response.
   */
  readonly errorBody?: ErrorBodyMaker;
  /** Knows the holders of tokens that are no API keys of the service. */
  readonly authenticate?: Authenticate<AnyNeeds>;
  /** Environment variables of this service, beside those of every service. */
  readonly settings?: ServiceSettings;
  /**
   * Express middleware for requests of operations: after authentication and limits, before validation. It may respond
   * itself, and pass values to handlers in `res.locals`. The body is read already. An error that it throws gets 500.
   * `contextOf(req)` has the caller, the log and the rest of a handler's context.
   *
   * @example
   * middleware: ({ settings }) => [helmet(), session({ secret: settings.SESSION_SECRET })]
   */
  readonly middleware?: Middleware<AnyNeeds>;
  /**
   * Adds routes outside the contract, such as a login callback or a folder of files. They need no key and are not
   * limited. A route with a path of an operation is refused at the start.
   *
   * @example
   * extend(app, { settings }) {
   *   app.use('/assets', express.static('assets'));
   *   app.post('/webhooks/payments', express.raw({ type: '*\/*' }), (req, res) => { … });
   * }
   */
  readonly extend?: (app: Express, services: SharedServices<AnyNeeds>) => void;
}

/**
 * Puts a service together: its features migrate in their order. An operation that no feature handles, or that two handle,
 * does not compile, nor does a feature that needs more than the service has.
 */
export function defineService<Operations, Of extends Features, Settings extends ServiceSettings = {}>(
  contract: Contract<Operations>,
  features: Of &
    ([keyof Operations] extends [HandledBy<Of>]
      ? [Unmet<Of, Settings>] extends [never]
        ? unknown
        : { readonly needMore: Unmet<Of, Settings> }
      : { readonly unhandled: Exclude<keyof Operations, HandledBy<Of>> }) &
    ([HandledTwice<Of>] extends [never] ? unknown : { readonly handledTwice: HandledTwice<Of> }),
  rest: Omit<ServiceDefinition, 'contract' | 'features' | 'authenticate' | 'middleware' | 'extend'> & {
    readonly settings?: Settings;
    readonly authenticate?: Authenticate<Has<Of, Settings>>;
    readonly middleware?: Middleware<Has<Of, Settings>>;
    readonly extend?: (app: Express, services: SharedServices<Has<Of, Settings>>) => void;
  },
): ServiceDefinition<Of> {
  checkSettingNames(rest.settings);
  declaredJobs({ features });
  return { contract, features, ...rest };
}

/** The jobs of all features, by name. Throws if two have one name, or a schedule is wrong. */
export function declaredJobs({ features }: Pick<ServiceDefinition, 'features'>): DeclaredJobs {
  const declared = new Map<string, DeclaredJob>();
  for (const [feature, { jobs = {} }] of Object.entries(features))
    for (const [name, job] of Object.entries(jobs)) {
      const other = declared.get(name);
      if (other) throw new Error(`the features ${other.feature} and ${feature} both have the job ${name}`);
      declared.set(name, declareJob(feature, name, job));
    }
  return declared;
}

/** The topics that features declare. One that several declare is kept as long as one of them says. */
export function declaredTopics({
  features,
}: Pick<ServiceDefinition, 'features'>): Readonly<Record<string, Required<TopicOptions>>> {
  const topics: Record<string, Required<TopicOptions>> = {};
  for (const { topics: declared = {} } of Object.values(features))
    for (const [topic, { keptFor = ENTRIES_KEPT_FOR }] of Object.entries(declared))
      topics[topic] = { keptFor: Math.max(keptFor, topics[topic]?.keptFor ?? 0) };
  return topics;
}

/** The handlers of all features. `servicesOf` makes the services of one. */
export function handlersOf(
  { features }: ServiceDefinition,
  servicesOf: (feature: string) => Services<unknown>,
): Record<string, AnyHandler> {
  // The compiler checks handlers and inputs where handlers are written. Here any handler takes any input.
  return Object.fromEntries(
    Object.entries(features).flatMap(([name, { handlers }]) =>
      Object.entries(handlers(servicesOf(name)) as Record<string, AnyHandler>),
    ),
  );
}
