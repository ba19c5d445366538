import { Cron } from 'croner';

const HOUR = 60 * 60_000;

/** When a job runs by itself. */
export interface Schedule {
  /** Minute, hour, day of the month, month, day of the week, such as `0 2 * * *`; or `@daily` and the like. */
  readonly cron: string;
  /** Of the IANA database, such as `Europe/Berlin`; by default UTC. */
  readonly timeZone?: string;
  /** Whether a tick runs more than a minute late, such as one that was missed while no instance ran; by default true. */
  readonly late?: boolean;
}

/** The payload of a job that its schedule adds. */
export interface Tick {
  /** When it was due. */
  readonly at: Date;
}

/** Checks the payload of a job that has a schedule, which is `{ "at": "2026-12-05T02:00:00.000Z" }` in JSON. */
export function parseTick(value: unknown): Tick {
  const { at } = (value ?? {}) as { at?: unknown };
  const time = typeof at === 'string' ? new Date(at) : undefined;
  if (!time || Number.isNaN(time.getTime())) throw new Error('a tick has the time `at`');
  return { at: time };
}

/** The ticks of a schedule. Times are in epoch milliseconds. */
export interface Ticks {
  /** Differs between schedules with different ticks. */
  readonly key: string;
  readonly late: boolean;
  /** The first one after `time`. */
  after(time: number): number;
}

/** Throws if the schedule is wrong, or never ticks. */
export function createTicks(every: string | Schedule): Ticks {
  const { cron, timeZone = 'UTC', late = true } = typeof every === 'string' ? { cron: every } : every;
  const pattern = new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });
  const zone = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const isHourly = /^\S+\s+\*/.test(cron.trim()) || cron.trim().toLowerCase() === '@hourly';

  function next(time: number): number {
    const found = pattern.nextRun(new Date(time));
    if (!found) throw new Error(`it never runs: ${cron}`);
    return found.getTime();
  }

  /** The offset of the zone from UTC, in milliseconds. */
  function offsetAt(time: number): number {
    const text = zone.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(text) ?? [];
    return Number(`${sign}1`) * (Number(hours) * HOUR + Number(minutes) * 60_000);
  }

  const ticks: Ticks = {
    key: JSON.stringify([cron, timeZone]),
    late,
    after(time) {
      const found = next(time);
      if (!isHourly) return found;
      // croner leaves out the hour that comes twice when daylight saving ends.
      const repeated = offsetAt(time - 2 * HOUR) - offsetAt(found);
      if (repeated <= 0) return found;
      const again = next(time - repeated) + repeated;
      return again > time && again < found ? again : found;
    },
  };
  // Also a date is a pattern of croner.
  if (!/^@|^\S+(\s+\S+){4}$/.test(cron.trim())) throw new Error(`it has not 5 fields: ${cron}`);
  ticks.after(Date.now());
  return ticks;
}
