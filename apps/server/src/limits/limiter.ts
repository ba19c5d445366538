import type { ErrorCode } from '@petstore/contract';

/** How many requests a caller may make within each of the two windows. */
export interface Quota {
  readonly perMinute: number;
  readonly perDay: number;
}

/** Whom a request counts for. Only keys are ever banned: an address without `banGeneration` is limited alone. */
export interface Account {
  readonly id: string;
  readonly quota: Quota;
  readonly banGeneration?: number;
}

/** The state of an account, as the X-RateLimit headers tell it. Times are epoch milliseconds. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/** What is decided about one request. */
export interface Decision extends RateLimitState {
  readonly refusal?: {
    readonly code: Extract<ErrorCode, 'rate_limit_exceeded' | 'api_key_banned'>;
    /** Whole seconds until it makes sense to come back, at least 1. */
    readonly retryAfter: number;
    readonly message: string;
    /** This very request led to a ban. */
    readonly isNewBan?: true;
  };
}

/** Counts requests. An implementation decides about concurrent requests of one account one after the other. */
export interface Limiter {
  /** Counts one request against both windows of `account`, or refuses it and counts it against neither. */
  consume(account: Account): Decision | Promise<Decision>;
  /** The rate-limit state of `account`, without counting anything. */
  peek(account: Account): RateLimitState | Promise<RateLimitState>;
  /** Stores what is not stored yet, and lets go of the store. */
  close(): Promise<void>;
}

/** When a key that goes on after refusals is banned, and for how long. */
export interface BanPolicy {
  /** Refusals within one minute that lead to a ban, as a multiple of the key's quota per minute. */
  readonly refusalRatio: number;
  /** Length of a ban in milliseconds. */
  readonly duration: number;
}
