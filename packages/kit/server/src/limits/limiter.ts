import type { Account, Decision, RateLimitState } from '@contract-kit/core/limits';

/** Counts requests. An implementation decides one by one about concurrent requests of an account. */
export interface Limiter {
  /** Counts one request in both windows of `account`, or rejects it and counts it in neither. */
  consume(account: Account): Decision | Promise<Decision>;
  /** The rate-limit state of `account`, without counting anything. */
  peek(account: Account): RateLimitState | Promise<RateLimitState>;
  /** Why limits are not those of the plans until the operator acts, without secrets; undefined if they are. */
  fault?(): string | undefined;
  close(): Promise<void>;
}
