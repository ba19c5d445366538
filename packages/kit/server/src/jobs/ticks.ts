import { Cron } from 'croner';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

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
  readonly after: (time: number) => number;
}

/** Throws if the schedule is wrong, or never ticks. */
export function createTicks(every: string | Schedule): Ticks {
  const { cron, timeZone = 'UTC', late = true } = typeof every === 'string' ? { cron: every } : every;
  const offsetAt = createOffsets(timeZone);
  // Also a date is a pattern of croner.
  if (!/^(@\w+|\S+(\s+\S+){4})$/.test(cron.trim())) throw new Error(`it has not 5 fields: ${cron}`);
  const pattern = new Cron(cron, { timezone: 'UTC', mode: '5-part', paused: true });
  const isHourly = /^(@hourly$|\S+\s+\*)/i.test(cron.trim());

  /** The next time that a clock on the wall shows, after another one; both as if in UTC. */
  function nextOnWall(wall: number): number {
    // A text, because a Date of another realm, such as that of a test runner, is none to croner.
    const found = pattern.nextRun(`${new Date(wall).toISOString().slice(0, 19)}Z`);
    if (!found) throw new Error(`it never runs: ${cron}`);
    return found.getTime();
  }

  /** When the wall shows `wall` first. An hour that is left out is one hour later. */
  function firstTimeOf(wall: number): number {
    const before = offsetAt(wall - DAY);
    const after = offsetAt(wall + DAY);
    const isAfter = offsetAt(wall - before) !== before && offsetAt(wall - after) === after;
    return wall - (isAfter ? after : before);
  }

  /** For fixed hours, which come once a day. */
  function afterByDay(time: number): number {
    const leftOut = Math.max(0, offsetAt(time) - offsetAt(time - 3 * HOUR));
    let wall = time + offsetAt(time) - leftOut;
    for (;;) {
      wall = nextOnWall(wall);
      const found = firstTimeOf(wall);
      if (found > time) return found;
    }
  }

  /** For each hour that passes, whatever the wall shows. */
  function afterByHour(time: number): number {
    const offset = offsetAt(time);
    const found = nextOnWall(time + offset) - offset;
    if (offsetAt(found) === offset) return found;
    let [before, changed] = [time, found];
    while (changed - before > 1) {
      const middle = Math.floor((before + changed) / 2);
      if (offsetAt(middle) === offset) before = middle;
      else changed = middle;
    }
    const other = offsetAt(changed);
    return nextOnWall(changed - 1 + other) - other;
  }

  const after = isHourly ? afterByHour : afterByDay;
  after(Date.now());
  return { key: JSON.stringify([cron, timeZone]), late, after };
}

/** The offset of a time zone from UTC at a time, all in milliseconds. */
function createOffsets(timeZone: string): (time: number) => number {
  const zone = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (time) => {
    const text = zone.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = 0, minutes = 0] = /([+-])(\d+):(\d+)/.exec(text) ?? [];
    return Number(`${sign}1`) * (Number(hours) * HOUR + Number(minutes) * 60_000);
  };
}
