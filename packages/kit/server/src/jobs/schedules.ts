import { createSqlClock } from '../database/clock.ts';
import type { Database, Query } from '../database/sql.ts';
import type { DeclaredJobs } from './job.ts';
import type { JobTable } from './job-table.ts';
import type { Ticks } from './ticks.ts';

/** How late a tick may be that must not run late, in milliseconds. */
const IN_TIME = 60_000;
/** How often an instance says that it has a schedule, in milliseconds. */
const SEEN_INTERVAL = 20_000;
/** After how long a schedule that no instance has is removed, in milliseconds. */
const UNSEEN_FOR = 60_000;

interface Row {
  readonly name: string;
  readonly schedule: string;
  readonly tickAt: number | null;
  readonly nextAt: number;
  readonly seenAt: number;
}

/** A schedule of a job, and when its ticks are. */
type Known = readonly [name: string, ticks: Ticks];

export interface SchedulesOptions {
  readonly database: Database;
  readonly table: JobTable;
  readonly declared: DeclaredJobs;
  /** In epoch milliseconds. */
  readonly now: () => number;
  /** Called with a tick that adds no job. */
  readonly onSkip: (name: string, tick: Date, reason: string) => void;
}

/** The schedules of jobs. Any instance adds the job of a tick, and only one does. */
export interface Schedules {
  /** Has the schedules tick from now on, unless they do. Rejects as `query` of the database does. */
  register(): Promise<void>;
  /** `register`, and adds the jobs of ticks that are due. */
  tick(): Promise<void>;
}

export function createSchedules({ database, table, declared, now, onSkip }: SchedulesOptions): Schedules {
  const { query, transaction } = database;
  const { time, timeIn } = createSqlClock(database, now);
  const known: Known[] = [...declared].flatMap(([name, { ticks }]) => (ticks ? [[name, ticks]] : []));

  async function readTime(): Promise<number> {
    const [row] = await query<{ now: number }>(`SELECT ${timeIn('$1')} AS now`, [time()]);
    return row?.now ?? 0;
  }

  const rowsOf = () =>
    query<Row>(
      `SELECT name, schedule, tick_at AS "tickAt", next_at AS "nextAt", seen_at AS "seenAt" FROM kit_schedules`,
    );

  /** Adds the schedules that are new, and removes those that no instance has. Resolves to the others. */
  async function update(at: number): Promise<(readonly [Known, Row])[]> {
    const rows = await rowsOf();
    const found: (readonly [Known, Row])[] = [];
    for (const schedule of known) {
      const [name, { key, after }] = schedule;
      const row = rows.find((row) => row.name === name && row.schedule === key);
      if (row) found.push([schedule, row]);
      if (!row)
        await query(
          `INSERT INTO kit_schedules (name, schedule, next_at, seen_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (name, schedule) DO NOTHING`,
          [name, key, after(at), at],
        );
      else if (Math.abs(at - row.seenAt) > SEEN_INTERVAL)
        await query('UPDATE kit_schedules SET seen_at = $3 WHERE name = $1 AND schedule = $2', [
          name,
          key,
          at,
        ]);
    }
    for (const row of rows)
      if (at - row.seenAt > UNSEEN_FOR && !found.some(([, other]) => other === row))
        await query('DELETE FROM kit_schedules WHERE name = $1 AND schedule = $2 AND seen_at = $3', [
          row.name,
          row.schedule,
          row.seenAt,
        ]);
    return found;
  }

  /** Moves a schedule on, in the transaction of `inside`. Resolves to false if another instance has. */
  async function move(inside: Query, { name, schedule, nextAt }: Row, to: number, tickAt?: number) {
    // It waits for the other one, and then finds another time.
    const moved = await inside(
      `UPDATE kit_schedules SET next_at = $4, tick_at = coalesce(CAST($5 AS bigint), tick_at)
       WHERE name = $1 AND schedule = $2 AND next_at = $3 RETURNING name`,
      [name, schedule, nextAt, to, tickAt ?? null],
    );
    return moved.length > 0;
  }

  /** Adds the job of the tick `at`, and moves the schedule on. Resolves to false if the last run has not ended. */
  function add(row: Row, at: number, to: number): Promise<boolean> {
    const { name, schedule } = row;
    return transaction(async (inside) => {
      if (!(await move(inside, row, to, at))) return true;
      const last = await inside(
        `SELECT id FROM kit_jobs WHERE id IN (SELECT job_id FROM kit_schedules WHERE name = $1) AND died_at IS NULL`,
        [name],
      );
      if (last.length > 0) return false;
      const payload = JSON.stringify({ at: new Date(at) });
      const id = await table.add(inside, { name, payload, traceId: undefined });
      await inside('UPDATE kit_schedules SET job_id = $3 WHERE name = $1 AND schedule = $2', [
        name,
        schedule,
        id,
      ]);
      return true;
    });
  }

  async function tickOne([name, ticks]: Known, row: Row, now: number): Promise<void> {
    const { tickAt, nextAt } = row;
    if (nextAt > now) {
      // If the clock went back, ticks that were passed over come again, but none that ran.
      const earlier = ticks.after(Math.max(now, tickAt ?? now));
      if (earlier < nextAt) await move(query, row, earlier);
      return;
    }
    // Of several that were missed the first one runs.
    const tick = ticks.late ? nextAt : Math.max(nextAt, ticks.after(now - IN_TIME));
    if (tick <= now) {
      if (!(await add(row, tick, ticks.after(now))))
        onSkip(name, new Date(tick), 'the last run has not ended');
    } else if (await move(query, row, tick)) onSkip(name, new Date(nextAt), 'it is late');
  }

  return {
    async register() {
      if (known.length > 0) await update(await readTime());
    },
    async tick() {
      const at = await readTime();
      for (const [schedule, row] of await update(at)) await tickOne(schedule, row, at);
    },
  };
}
