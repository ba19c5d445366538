import type { Account, Decision, RateLimitState } from '@kit/contract/windows';

/** Counts requests. An implementation decides about concurrent requests of one account one after the other. */
export interface Limiter {
  /** Counts one request against both windows of `account`, or refuses it and counts it against neither. */
  consume(account: Account): Decision | Promise<Decision>;
  /** The rate-limit state of `account`, without counting anything. */
  peek(account: Account): RateLimitState | Promise<RateLimitState>;
  /** What the operator must put right before limits are those of the plans, for anybody to read; undefined if nothing. */
  fault?(): string | undefined;
  /** Stores what is not stored yet, and lets go of the store. */
  close(): Promise<void>;
}
