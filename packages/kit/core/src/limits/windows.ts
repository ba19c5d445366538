/** A caller's quotas in the two windows. */
export interface Quota {
  readonly perMinute: number;
  readonly perDay: number;
}

/** The quota of an address without a valid key, if the contract has plans but none called `free`. */
export const ADDRESS_QUOTA: Quota = { perMinute: 60, perDay: 1_000 };

/** The caller that a request counts for. Only keys can be banned: an address has no `banEpoch`. */
export interface Account {
  readonly id: string;
  readonly quota: Quota;
  readonly banEpoch?: number;
  /** What messages call the key; `API key` if absent. */
  readonly word?: string;
}

/** The state of an account for the X-RateLimit headers. Times are epoch milliseconds. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
  /** The account is banned until `resetAt`. */
  readonly isBanned?: true;
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

/** When to ban a key that ignores rejections, and for how long. */
export interface BanPolicy {
  /** Rejections within one minute that cause a ban, as a multiple of the key's quota per minute. */
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
  /** The account's ban epoch when rejections and ban were counted. */
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
  return decisionOf(counters, account, now, count(counters, account, policy, now));
}

/** What became of a request. A new ban also rejects it. */
export type Outcome = 'counted' | 'refused' | 'new ban';

function count(counters: Counters, account: Account, policy: BanPolicy, now: number): Outcome {
  voidImpossibleBan(counters, policy, now);
  forgetLiftedBans(counters, account);
  if (isBanned(counters, account, now)) return 'refused';

  openWindows(counters, now);
  const { quota, banEpoch } = account;
  if (counters.minuteCount < quota.perMinute && counters.dayCount < quota.perDay) {
    counters.minuteCount += 1;
    counters.dayCount += 1;
    return 'counted';
  }

  if (isOver(counters.refusalStart, MINUTE, now)) {
    counters.refusalStart = now;
    counters.refusalCount = 0;
  }
  counters.refusalCount += 1;
  if (banEpoch === undefined || counters.refusalCount < policy.refusalRatio * quota.perMinute)
    return 'refused';
  counters.banUntil = now + policy.duration;
  counters.refusalStart = 0;
  counters.refusalCount = 0;
  return 'new ban';
}

/** The decision about a request of `account`, after `counters` counted it at `now`. */
export function decisionOf(counters: Counters, account: Account, now: number, outcome: Outcome): Decision {
  const state = stateOf(counters, account, now);
  if (outcome === 'counted') return state;
  const { limit, resetAt } = state;
  const window = resetAt === counters.dayStart + DAY ? 'day' : 'minute';
  const reason = state.isBanned
    ? `This ${account.word ?? 'API key'} is temporarily banned: it kept sending requests after repeated 429 responses.`
    : `The limit of ${limit} requests per ${window} is used up.`;
  const retryAfter = Math.max(1, Math.ceil((resetAt - now) / 1000));
  const refusal = {
    code: state.isBanned ? ('api_key_banned' as const) : ('rate_limit_exceeded' as const),
    retryAfter,
    message: `${reason} Retry in ${inSeconds(retryAfter)}.`,
    ...(outcome === 'new ban' && { isNewBan: true as const }),
  };
  return { ...state, refusal };
}

/** The rate-limit state of `account` at `now`. Changes nothing. */
export function peek(counters: Counters, account: Account, policy: BanPolicy, now: number): RateLimitState {
  const copy = { ...counters };
  voidImpossibleBan(copy, policy, now);
  forgetLiftedBans(copy, account);
  openWindows(copy, now);
  return stateOf(copy, account, now);
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

/** The ban; otherwise the window with fewer requests remaining, on a tie the one that resets later. */
function stateOf(counters: Counters, account: Account, now: number): RateLimitState {
  const { perMinute, perDay } = account.quota;
  if (isBanned(counters, account, now))
    return { limit: perMinute, remaining: 0, resetAt: counters.banUntil, isBanned: true };
  const state = (limit: number, count: number, resetAt: number) => {
    return { limit, remaining: Math.max(0, limit - count), resetAt };
  };
  const minute = state(perMinute, counters.minuteCount, counters.minuteStart + MINUTE);
  const day = state(perDay, counters.dayCount, counters.dayStart + DAY);
  if (minute.remaining !== day.remaining) return minute.remaining < day.remaining ? minute : day;
  return minute.resetAt > day.resetAt ? minute : day;
}

/** A number of seconds, in words. */
export function inSeconds(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
