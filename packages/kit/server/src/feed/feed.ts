import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Notices } from '../database/postgres/notices.ts';
import type { Database, Query } from '../database/sql.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { positionOf, cursorOf } from './cursor.ts';
import { createFeedTable, type NewEntry, type TopicState } from './feed-table.ts';
import { createTail, type FeedEntry, type Tail } from './tail.ts';
import type { TopicOptions } from './topics.ts';

/** How often entries that are too old are deleted, in milliseconds. */
const SWEEP_INTERVAL = 60_000;
/** How long an instance collects the topics with new entries before it tells the others, in milliseconds. */
const NOTICE_DELAY = 20;

/** Appends to topics, whose payloads are `Topics`. */
export interface FeedWriter<Topics> {
  /**
   * Appends `payload`, which JSON can hold, at the end of a topic. In a transaction it is there if that commits, behind
   * all that changed the same rows before. Throws a TypeError if no feature declares the topic.
   */
  append<Topic extends keyof Topics & string>(topic: Topic, payload: Topics[Topic]): Promise<void>;
}

/** A log by topic, for streams of changes. */
export interface Feed<Topics> extends FeedWriter<Topics> {
  /**
   * The entries of `topic` behind `cursor`, by default all that are kept, and then each new one: every entry once, in the
   * same order for everyone. It goes on when the database was away, and ends by an error when `signal` aborts. Throws a
   * CursorExpired if the cursor is of another topic, too old, or of the database of which this one is a copy; and
   * StoreUnavailable.
   */
  after<Topic extends keyof Topics & string>(
    cursor: string | undefined,
    options: { readonly topic: Topic; readonly signal?: AbortSignal },
  ): Promise<AsyncGenerator<FeedEntry<Topics[Topic]>, void>>;
  /** The cursor behind the last entry: what `after` gets to read only what is new. Throws StoreUnavailable. */
  end(topic: keyof Topics & string): Promise<string>;
}

/** The feed of a service, for its features and its transactions. */
export interface ServiceFeed extends Feed<Record<string, unknown>> {
  /** Makes the topics that are new, and deletes what is too old from now on. */
  start(): Promise<void>;
  /** Runs `work` in a transaction, and appends at its end what it appended. */
  within<Stores, Result>(
    transaction: Transaction<Stores>,
    work: (stores: Stores, feed: FeedWriter<Record<string, unknown>>, query: Query) => Promise<Result>,
  ): Promise<Result>;
  close(): void;
}

type Transaction<Stores> = <Result>(
  work: (stores: Stores, query: Query) => Promise<Result>,
) => Promise<Result>;

export interface FeedOptions {
  readonly database: Database;
  /** Between the instances; undefined if there is only one. */
  readonly notices?: Notices | undefined;
  readonly topics: Readonly<Record<string, Required<TopicOptions>>>;
  readonly log: Pick<Logger, 'error'>;
  readonly now: () => number;
}

/** The feed of a service. */
export function createFeed(options: FeedOptions): ServiceFeed {
  return Object.keys(options.topics).length === 0 ? noFeed : feedOf(options);
}

function feedOf({ database, notices, topics, log, now }: FeedOptions): ServiceFeed {
  const table = createFeedTable(database, now);
  const tails = new Map<string, Tail>();
  let stopListening: (() => void) | undefined;
  const closing = new AbortController();

  async function sweepUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const [topic, { keptFor }] of Object.entries(topics))
        try {
          await numberAll(topic);
          while (await table.sweep(topic, keptFor));
        } catch (err) {
          // The log has that already.
          if (!(err instanceof StoreUnavailable))
            log.error({ err, topic }, 'old entries of a feed could not be deleted');
        }
      await sleep(SWEEP_INTERVAL, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Without a reader nothing has numbered them. */
  async function numberAll(topic: string): Promise<TopicState> {
    for (;;) {
      const state = await table.stateOf(topic);
      if (!state.isBehind) return state;
      await table.number(topic);
    }
  }

  const told = new Set<string>();
  function wake(appended: readonly NewEntry[]): void {
    const changed = new Set(appended.map(({ topic }) => topic));
    for (const topic of changed) tails.get(topic)?.wake();
    if (!notices || changed.size === 0) return;
    // After the commit, and once for many: notices of PostgreSQL take a lock that all of its databases share.
    if (told.size === 0)
      setTimeout(() => {
        const all = [...told];
        told.clear();
        notices.send(all).catch(() => undefined);
      }, NOTICE_DELAY).unref();
    for (const topic of changed) told.add(topic);
  }

  function requireTopic(topic: string): void {
    if (Object.hasOwn(topics, topic)) return;
    throw new TypeError(`no feature declares the topic ${topic}: add it to \`topics\` of one`);
  }

  function entryOf(topic: string, payload: unknown): NewEntry {
    requireTopic(topic);
    const text = JSON.stringify(payload) as string | undefined;
    if (text === undefined) throw new TypeError(`the payload of the topic ${topic} is no value of JSON`);
    return { topic, payload: text };
  }

  function listen(): void {
    stopListening ??= notices?.listen((topic) => tails.get(topic)?.wake());
  }

  return {
    async start() {
      for (const topic of Object.keys(topics)) await table.open(topic);
      void sweepUntil(closing.signal);
    },

    async append(topic, payload) {
      const entry = entryOf(topic, payload);
      await table.append(database.query, [entry]);
      wake([entry]);
    },

    async within(transaction, work) {
      const appended: NewEntry[] = [];
      const result = await transaction(async (stores, query) => {
        const result = await work(
          stores,
          {
            append: (topic, payload) => {
              appended.push(entryOf(topic, payload));
              return Promise.resolve();
            },
          },
          query,
        );
        // At the end, when the transaction has waited for all others of the same rows.
        if (appended.length > 0) await table.append(query, appended);
        return result;
      });
      wake(appended);
      return result;
    },

    async after(cursor, { topic, signal }) {
      requireTopic(topic);
      const state = await table.stateOf(topic);
      const position = positionOf(topic, cursor, state);
      listen();
      let tail = tails.get(topic);
      if (!tail || tail.isOver())
        tails.set(topic, (tail = createTail({ topic, table, start: state, log, closing: closing.signal })));
      return tail.read(position, signal);
    },

    async end(topic) {
      requireTopic(topic);
      const { life, last } = await numberAll(topic);
      return cursorOf(life, last);
    },

    close() {
      closing.abort();
      for (const tail of tails.values()) tail.wake();
      stopListening?.();
    },
  };
}

/** The feed of a service that declares no topics. */
const noFeed: ServiceFeed = {
  start: () => Promise.resolve(),
  append: refuse,
  after: refuse,
  end: refuse,
  within: (transaction, work) => transaction((stores, query) => work(stores, noFeed, query)),
  close: () => undefined,
};

function refuse(): Promise<never> {
  return Promise.reject(new TypeError('no feature declares a topic: add it to `topics` of one'));
}
