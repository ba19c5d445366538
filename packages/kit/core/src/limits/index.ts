/*
 * Quotas: the windows in which requests are counted, and bans. The limiters of the server and the fake count alike.
 */

export {
  type Account,
  ADDRESS_QUOTA,
  type BanPolicy,
  CLOCK_TOLERANCE,
  consume,
  type Counters,
  DAY,
  type Decision,
  decisionOf,
  inSeconds,
  isSpent,
  MINUTE,
  newCounters,
  type Outcome,
  peek,
  type Quota,
  type RateLimitState,
  STANDARD_BAN,
  voidImpossibleBan,
} from './windows.ts';
