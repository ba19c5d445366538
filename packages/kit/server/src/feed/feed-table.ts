import { randomBytes } from 'node:crypto';
import { createSqlClock } from '../database/clock.ts';
import type { Database, Query } from '../database/sql.ts';

/** How many entries are read, numbered or deleted at once. */
export const PAGE = 1_000;

export interface NewEntry {
  readonly topic: string;
  /** JSON. */
  readonly payload: string;
}

export interface PlacedEntry {
  readonly position: number;
  readonly payload: string;
}

/** A topic as it is now. */
export interface TopicState {
  /** Part of every cursor. A copy of the database has another one. */
  readonly life: string;
  /** The last position that readers may see. */
  readonly last: number;
  /** The last position whose entry was deleted. */
  readonly swept: number;
  /** Whether there are visible entries without a position. */
  readonly isBehind: boolean;
}

/** The tables of the feed. All reject as `query` of the database does. */
export interface FeedTable {
  append(query: Query, entries: readonly NewEntry[]): Promise<void>;
  /** Makes a topic that is new, and gives one in a copy of the database another life. */
  open(topic: string): Promise<void>;
  stateOf(topic: string): Promise<TopicState>;
  /**
   * Gives positions to visible entries, in the order of their ids. One transaction at a time does that, so no entry gets a
   * position before one that a reader has seen. Their ids come last in their transactions: of two that changed the same
   * row, the second one waited for the first.
   */
  number(topic: string): Promise<void>;
  read(topic: string, after: number): Promise<PlacedEntry[]>;
  /** Deletes entries that are older than `keptFor` milliseconds. Resolves to whether there may be more. */
  sweep(topic: string, keptFor: number): Promise<boolean>;
}

/** `now` is in epoch milliseconds. */
export function createFeedTable(database: Database, now: () => number): FeedTable {
  const { engine, query, transaction } = database;
  const isPostgres = engine === 'postgres';
  const { time, timeIn } = createSqlClock(database, now);
  // Both change when a dump is restored, and stay on a standby.
  const place = isPostgres
    ? `(SELECT concat(oid, '.', CAST(CAST('feed_topics' AS regclass) AS oid)) FROM pg_database WHERE datname = current_database())`
    : `'sqlite'`;
  const position = isPostgres ? 'position' : 'id';
  const entries = isPostgres
    ? `SELECT entry ->> 'topic' AS topic, entry ->> 'payload' AS payload
       FROM json_array_elements(CAST($2 AS json)) WITH ORDINALITY AS listed (entry, number) ORDER BY number`
    : `SELECT value ->> 'topic' AS topic, value ->> 'payload' AS payload FROM json_each($2) ORDER BY key`;

  return {
    async append(inTransaction, appended) {
      await inTransaction(
        `INSERT INTO feed_entries (topic, payload, at)
         SELECT topic, payload, ${timeIn('$1')} FROM (${entries}) AS appended`,
        [time(), JSON.stringify(appended)],
      );
    },

    async open(topic) {
      const life = randomBytes(6).toString('base64url');
      await query(
        `INSERT INTO feed_topics (topic, life, place) VALUES ($1, $2, CAST(${place} AS text))
         ON CONFLICT (topic) DO UPDATE SET life = excluded.life, place = excluded.place
         WHERE feed_topics.place <> excluded.place`,
        [topic, life],
      );
    },

    async stateOf(topic) {
      const last = isPostgres
        ? 'last'
        : `coalesce((SELECT id FROM feed_entries WHERE topic = $1 ORDER BY id DESC LIMIT 1), swept)`;
      const isBehind = isPostgres
        ? 'EXISTS (SELECT 1 FROM feed_entries WHERE topic = $1 AND position IS NULL)'
        : 'false';
      const [state] = await query<TopicState>(
        `SELECT life, swept, ${last} AS last, ${isBehind} AS "isBehind" FROM feed_topics WHERE topic = $1`,
        [topic],
      );
      if (!state) throw new Error(`the topic ${topic} is missing in the table feed_topics`);
      return { ...state, isBehind: Boolean(state.isBehind) };
    },

    number: (topic) =>
      transaction(async (inTransaction) => {
        const [state] = await inTransaction<{ last: number }>(
          'SELECT last FROM feed_topics WHERE topic = $1 FOR UPDATE',
          [topic],
        );
        // A statement of its own: it has to see what was committed while the row was locked.
        const numbered = await inTransaction<{ position: number }>(
          `UPDATE feed_entries SET position = $2 + number FROM
             (SELECT id AS visible, row_number() OVER (ORDER BY id) AS number FROM feed_entries
              WHERE topic = $1 AND position IS NULL ORDER BY id LIMIT ${PAGE}) AS numbers
           WHERE id = visible RETURNING position`,
          [topic, state?.last ?? 0],
        );
        await inTransaction('UPDATE feed_topics SET last = last + $2 WHERE topic = $1', [
          topic,
          numbered.length,
        ]);
      }),

    read: (topic, after) =>
      query<PlacedEntry>(
        `SELECT ${position} AS position, payload FROM feed_entries
         WHERE topic = $1 AND ${position} > $2 ORDER BY ${position} LIMIT ${PAGE}`,
        [topic, after],
      ),

    sweep: (topic, keptFor) =>
      transaction(async (inTransaction) => {
        const deleted = await inTransaction<{ position: number }>(
          `DELETE FROM feed_entries WHERE id IN
             (SELECT id FROM (SELECT id, at FROM feed_entries WHERE topic = $2 AND ${position} IS NOT NULL
                              ORDER BY ${position} LIMIT ${PAGE}) AS oldest WHERE at <= ${timeIn('$1')} - ${keptFor})
           RETURNING ${position} AS position`,
          [time(), topic],
        );
        const swept = Math.max(0, ...deleted.map((entry) => entry.position));
        if (swept > 0)
          await inTransaction('UPDATE feed_topics SET swept = $2 WHERE topic = $1 AND swept < $2', [
            topic,
            swept,
          ]);
        return deleted.length === PAGE;
      }),
  };
}
