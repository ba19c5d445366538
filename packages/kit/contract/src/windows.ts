/** A caller's quotas in the two windows. */
export interface Quota {
  readonly perMinute: number;
  readonly perDay: number;
}

/** The caller that a request counts for. Only keys can be banned: an address has no `banEpoch`. */
export interface Account {
  readonly id: string;
  readonly quota: Quota;
  readonly banEpoch?: number;
}

/** The state of an account for the X-RateLimit headers. Times are epoch milliseconds. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/** The decision about one request. */
export interface Decision extends RateLimitState {
  readonly refusal?: {
    readonly code: 'rate_limit_exceeded' | 'api_key_banned';
    /** Whole seconds until a retry can succeed, at least 1. */
    readonly retryAfter: number;
    readonly message: string;
    /** This request caused a ban. */
    readonly isNewBan?: true;
  };
}

/** When to ban a key that ignores refusals, and for how long. */
export interface BanPolicy {
  /** Refusals within one minute that cause a ban, as a multiple of the key's quota per minute. */
  readonly refusalRatio: number;
  /** Length of a ban in milliseconds. */
  readonly duration: number;
}

export const STANDARD_BAN: BanPolicy = { refusalRatio: 1, duration: 15 * 60_000 };

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** How far the clock may step back before a window counts as over. */
export const CLOCK_TOLERANCE = MINUTE;

/** The counters of one account. Times are epoch milliseconds; a window that starts at 0 has not begun. */
export interface Counters {
  minuteStart: number;
  minuteCount: number;
  dayStart: number;
  dayCount: number;
  refusalStart: number;
  refusalCount: number;
  banUntil: number;
  /** The account's ban epoch when refusals and ban were counted. */
  banEpoch: number;
}

export function newCounters(): Counters {
  return {
    minuteStart: 0,
    minuteCount: 0,
    dayStart: 0,
    dayCount: 0,
    refusalStart: 0,
    refusalCount: 0,
    banUntil: 0,
    banEpoch: 0,
  };
}

/** Whether `counters` can be dropped. */
export function isSpent(counters: Counters, now: number): boolean {
  return (
    isOver(counters.dayStart, DAY, now) &&
    isOver(counters.minuteStart, MINUTE, now) &&
    isOver(counters.refusalStart, MINUTE, now) &&
    counters.banUntil <= now
  );
}

/** Voids a ban that ends later than any ban can: the clock was ahead when it was made. */
export function voidImpossibleBan(counters: Counters, { duration }: BanPolicy, now: number): void {
  if (counters.banUntil > now + duration + CLOCK_TOLERANCE) counters.banUntil = 0;
}

/** Decides about one request of `account` at `now` and updates `counters`. */
export function consume(counters: Counters, account: Account, policy: BanPolicy, now: number): Decision {
  voidImpossibleBan(counters, policy, now);
  forgetLiftedBans(counters, account);
  if (isBanned(counters, account, now)) return banned(account, counters.banUntil, now);

  openWindows(counters, now);
  const { quota } = account;
  const minuteFull = counters.minuteCount >= quota.perMinute;
  const dayFull = counters.dayCount >= quota.perDay;
  if (!minuteFull && !dayFull) {
    counters.minuteCount += 1;
    counters.dayCount += 1;
    return stateOf(counters, account);
  }

  if (isOver(counters.refusalStart, MINUTE, now)) {
    counters.refusalStart = now;
    counters.refusalCount = 0;
  }
  counters.refusalCount += 1;
  if (account.banEpoch !== undefined && counters.refusalCount >= policy.refusalRatio * quota.perMinute) {
    counters.banUntil = now + policy.duration;
    counters.refusalStart = 0;
    counters.refusalCount = 0;
    return banned(account, counters.banUntil, now, true);
  }
  const minuteEnd = counters.minuteStart + MINUTE;
  const dayEnd = counters.dayStart + DAY;
  return dayFull && (!minuteFull || dayEnd >= minuteEnd)
    ? refused(quota.perDay, 'day', dayEnd, now)
    : refused(quota.perMinute, 'minute', minuteEnd, now);
}

/** The rate-limit state of `account` at `now`. Changes nothing. */
export function peek(counters: Counters, account: Account, now: number): RateLimitState {
  const copy = { ...counters };
  forgetLiftedBans(copy, account);
  if (isBanned(copy, account, now))
    return { limit: account.quota.perMinute, remaining: 0, resetAt: copy.banUntil };
  openWindows(copy, now);
  return stateOf(copy, account);
}

function forgetLiftedBans(counters: Counters, { banEpoch }: Account): void {
  if (banEpoch === undefined || banEpoch <= counters.banEpoch) return;
  counters.banEpoch = banEpoch;
  counters.banUntil = 0;
  counters.refusalStart = 0;
  counters.refusalCount = 0;
}

function isBanned(counters: Counters, { banEpoch }: Account, now: number): boolean {
  return banEpoch !== undefined && counters.banUntil > now;
}

function isOver(start: number, length: number, now: number): boolean {
  return now >= start + length || now < start - CLOCK_TOLERANCE;
}

/** A window opens with the first request in it. */
function openWindows(counters: Counters, now: number): void {
  if (counters.minuteCount === 0 || isOver(counters.minuteStart, MINUTE, now)) {
    counters.minuteStart = now;
    counters.minuteCount = 0;
  }
  if (counters.dayCount === 0 || isOver(counters.dayStart, DAY, now)) {
    counters.dayStart = now;
    counters.dayCount = 0;
  }
}

/** The window with fewer requests remaining; on a tie the one that resets later. */
function stateOf(counters: Counters, { quota }: Account): RateLimitState {
  const state = (limit: number, count: number, resetAt: number) => {
    return { limit, remaining: Math.max(0, limit - count), resetAt };
  };
  const minute = state(quota.perMinute, counters.minuteCount, counters.minuteStart + MINUTE);
  const day = state(quota.perDay, counters.dayCount, counters.dayStart + DAY);
  if (minute.remaining !== day.remaining) return minute.remaining < day.remaining ? minute : day;
  return minute.resetAt > day.resetAt ? minute : day;
}

export function refused(limit: number, window: 'minute' | 'day', resetAt: number, now: number): Decision {
  const reason = `The limit of ${limit} requests per ${window} is used up.`;
  return refusal(limit, resetAt, now, 'rate_limit_exceeded', reason);
}

export function banned({ quota }: Account, banUntil: number, now: number, isNewBan?: true): Decision {
  const reason = 'This API key is temporarily banned: it kept sending requests after repeated 429 responses.';
  return refusal(quota.perMinute, banUntil, now, 'api_key_banned', reason, isNewBan);
}

function refusal(
  limit: number,
  resetAt: number,
  now: number,
  code: 'rate_limit_exceeded' | 'api_key_banned',
  reason: string,
  isNewBan?: true,
): Decision {
  const retryAfter = Math.max(1, Math.ceil((resetAt - now) / 1000));
  const message = `${reason} Retry in ${inSeconds(retryAfter)}.`;
  return {
    limit,
    remaining: 0,
    resetAt,
    refusal: { code, retryAfter, message, ...(isNewBan && { isNewBan }) },
  };
}

/** A number of seconds, in words. */
export function inSeconds(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
