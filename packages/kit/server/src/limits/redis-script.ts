import {
  CLOCK_TOLERANCE,
  DAY,
  MINUTE,
  type Account,
  type BanPolicy,
  type Counters,
  type Outcome,
} from '@contract-kit/core/limits';

/** The input of the script. It is JSON, so that values have names on both sides. */
export interface LimitRequest {
  readonly perMinute: number;
  readonly perDay: number;
  /** Absent for an account that is never banned. */
  readonly banEpoch?: number | undefined;
  /** Rejections within one minute that cause a ban. */
  readonly banAfter: number;
  /** In milliseconds. */
  readonly banDuration: number;
  /** Counts the request; otherwise nothing changes, and the outcome has no meaning. */
  readonly consumes: boolean;
  /** Epoch milliseconds instead of the Redis server's clock. */
  readonly now?: number | undefined;
}

/** The output of the script, also JSON. */
export interface LimitResult {
  readonly outcome: Outcome;
  readonly counters: Counters;
  /** The Redis server's time in epoch milliseconds. */
  readonly now: number;
}

/** The key of an account in the service `name`, and the script's input. */
export function limitRequest(
  name: string,
  { id, quota, banEpoch }: Account,
  { refusalRatio, duration }: BanPolicy,
  consumes: boolean,
  now?: number,
): [key: string, request: LimitRequest] {
  const { perMinute, perDay } = quota;
  const banAfter = refusalRatio * perMinute;
  const request = { perMinute, perDay, banEpoch, banAfter, banDuration: duration, consumes, now };
  return [`${name}:limit:{${id}}`, request];
}

/** The hash fields of the counters: short, because each account has them. */
const FIELDS: Record<keyof Counters, string> = {
  minuteStart: 'ms',
  minuteCount: 'mc',
  dayStart: 'ds',
  dayCount: 'dc',
  refusalStart: 'rs',
  refusalCount: 'rc',
  banUntil: 'bu',
  banEpoch: 'un',
};
const quoted = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');

/**
 * Counts as `consume` of windows.ts, in one atomic step by the clock of Redis. A test compares their decisions. KEYS[1] is
 * the account, ARGV[1] the request.
 */
export const limitScript = `
local MINUTE, DAY, CLOCK_TOLERANCE = ${MINUTE}, ${DAY}, ${CLOCK_TOLERANCE}
local NAMES = { ${quoted(Object.keys(FIELDS))} }
local FIELDS = { ${quoted(Object.values(FIELDS))} }

local request = cjson.decode(ARGV[1])
local now = request.now
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local counters = {}
for index, value in ipairs(redis.call('HMGET', KEYS[1], unpack(FIELDS))) do
  counters[NAMES[index]] = tonumber(value) or 0
end

local function answer(outcome)
  return cjson.encode({ outcome = outcome, counters = counters, now = now })
end

if not request.consumes then
  return answer('refused')
end

local function isOver(start, length)
  return now >= start + length or now < start - CLOCK_TOLERANCE
end

local isKey = request.banEpoch ~= nil
if isKey and request.banEpoch > counters.banEpoch then
  counters.banEpoch = request.banEpoch
  counters.banUntil, counters.refusalStart, counters.refusalCount = 0, 0, 0
end
if counters.banUntil > now + request.banDuration + CLOCK_TOLERANCE then
  counters.banUntil = 0
end
if isKey and counters.banUntil > now then
  return answer('refused')
end

if counters.minuteCount == 0 or isOver(counters.minuteStart, MINUTE) then
  counters.minuteStart, counters.minuteCount = now, 0
end
if counters.dayCount == 0 or isOver(counters.dayStart, DAY) then
  counters.dayStart, counters.dayCount = now, 0
end
local outcome = 'counted'
if counters.minuteCount < request.perMinute and counters.dayCount < request.perDay then
  counters.minuteCount, counters.dayCount = counters.minuteCount + 1, counters.dayCount + 1
else
  outcome = 'refused'
  if isOver(counters.refusalStart, MINUTE) then
    counters.refusalStart, counters.refusalCount = now, 0
  end
  counters.refusalCount = counters.refusalCount + 1
  if isKey and counters.refusalCount >= request.banAfter then
    outcome = 'new ban'
    counters.banUntil, counters.refusalStart, counters.refusalCount = now + request.banDuration, 0, 0
  end
end

local pairs = {}
for index, name in ipairs(NAMES) do
  pairs[2 * index - 1], pairs[2 * index] = FIELDS[index], counters[name]
end
redis.call('HSET', KEYS[1], unpack(pairs))
local last = math.max(counters.minuteStart + MINUTE, counters.dayStart + DAY,
  counters.refusalStart + MINUTE, counters.banUntil)
redis.call('PEXPIRE', KEYS[1], math.max(last - now, 1000))
return answer(outcome)
`;
