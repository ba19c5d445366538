import { DAY, MINUTE } from './windows.ts';

/**
 * What windows.ts decides, in one atomic step on the Redis server and by its clock: the two must be read together,
 * and test/suites/limiter.ts holds both to the same promises.
 *
 * KEYS[1]: the account. ARGV: the time in ms, or '' for the server's clock; quota per minute; quota per day; lifted
 * bans, or -1 for an account that is never banned; refusals that lead to a ban; length of a ban in ms; 'consume' or
 * 'peek'. Returns: 0 admitted, 1 minute full, 2 day full, 3 banned, 4 banned from now on; limit; remaining; end of the window in ms; the
 * time in ms.
 */
export const limitScript = `
local MINUTE, DAY = ${MINUTE}, ${DAY}
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local perMinute, perDay, banGeneration = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local banAfter, banLength, consuming = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7] == 'consume'

local stored = redis.call('HMGET', KEYS[1], 'ms', 'mc', 'ds', 'dc', 'rs', 'rc', 'bu', 'un')
local state = {}
for index = 1, 8 do state[index] = tonumber(stored[index] or 0) or 0 end
local minuteStart, minuteCount, dayStart, dayCount = state[1], state[2], state[3], state[4]
local refusalStart, refusalCount, banUntil, knownUnbans = state[5], state[6], state[7], state[8]

local function isOver(start, length)
  return now >= start + length or now < start - MINUTE
end

local function save()
  redis.call('HSET', KEYS[1], 'ms', minuteStart, 'mc', minuteCount, 'ds', dayStart, 'dc', dayCount,
    'rs', refusalStart, 'rc', refusalCount, 'bu', banUntil, 'un', knownUnbans)
  local last = math.max(minuteStart + MINUTE, dayStart + DAY, refusalStart + MINUTE, banUntil)
  redis.call('PEXPIRE', KEYS[1], math.max(last - now, 1000))
end

local function standing(verdict)
  local minuteLeft, dayLeft = math.max(0, perMinute - minuteCount), math.max(0, perDay - dayCount)
  local minuteEnd = (minuteCount == 0 and now or minuteStart) + MINUTE
  local dayEnd = (dayCount == 0 and now or dayStart) + DAY
  if minuteLeft < dayLeft or (minuteLeft == dayLeft and minuteEnd > dayEnd) then
    return { verdict, perMinute, minuteLeft, minuteEnd, now }
  end
  return { verdict, perDay, dayLeft, dayEnd, now }
end

if banGeneration > knownUnbans then
  knownUnbans, banUntil, refusalStart, refusalCount = banGeneration, 0, 0, 0
end
if banGeneration >= 0 and banUntil > now then return { 3, perMinute, 0, banUntil, now } end
if isOver(minuteStart, MINUTE) then minuteCount = 0 end
if isOver(dayStart, DAY) then dayCount = 0 end
if not consuming then return standing(0) end

local minuteFull, dayFull = minuteCount >= perMinute, dayCount >= perDay
if not minuteFull and not dayFull then
  if minuteCount == 0 then minuteStart = now end
  if dayCount == 0 then dayStart = now end
  minuteCount, dayCount = minuteCount + 1, dayCount + 1
  save()
  return standing(0)
end

if isOver(refusalStart, MINUTE) then refusalStart, refusalCount = now, 0 end
refusalCount = refusalCount + 1
if banGeneration >= 0 and refusalCount >= banAfter then
  banUntil, refusalStart, refusalCount = now + banLength, 0, 0
  save()
  return { 4, perMinute, 0, banUntil, now }
end
save()
local minuteEnd = minuteFull and (minuteCount == 0 and now or minuteStart) + MINUTE or 0
local dayEnd = dayFull and (dayCount == 0 and now or dayStart) + DAY or 0
if dayEnd >= minuteEnd then return { 2, perDay, 0, dayEnd, now } end
return { 1, perMinute, 0, minuteEnd, now }
`;
