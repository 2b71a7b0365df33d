/*
 * Each method of the store is one script, which Redis runs as one step. Two sorted sets say where work may be left: `untold`
 * by the time at which nobody tells any more (the end of the lease), `arrears` by the arrival of the oldest unsettled delivery.
 * Facts are kept as `{factId}|{json}`, unsettled deliveries as `{arrival}|{json}`.
 */

/** By the server's clock, so that instances need not agree on the time. */
const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS: application, reference, user, open. ARGV: id, link, created, keep, keep the reference. */
export const saveLink = `
redis.call('HSET', KEYS[1], 'link', ARGV[2])
redis.call('SET', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[4], 0, ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[5])
redis.call('EXPIRE', KEYS[3], ARGV[4])
return 1`;

/** KEYS: application. ARGV: field. */
export const readField = `return redis.call('HGET', KEYS[1], ARGV[1])`;

/** KEYS: reference. ARGV: prefix of applications. */
export const linkOfReference = `
local id = redis.call('GET', KEYS[1])
return id and redis.call('HGET', ARGV[1] .. id, 'link')`;

/** KEYS: user. ARGV: prefix of applications, limit. */
export const linksOfUser = `
local links = {}
for _, id in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, ARGV[2] - 1)) do
  local link = redis.call('HGET', ARGV[1] .. id, 'link')
  if link then links[#links + 1] = link end
end
return links`;

/** KEYS: open. ARGV: prefix of applications, where to begin, limit. Takes out those that have expired. */
export const openLinks = `
local links, from = {}, ARGV[2]
while #links < tonumber(ARGV[3]) do
  local ids = redis.call('ZRANGEBYLEX', KEYS[1], from, '+', 'LIMIT', 0, ARGV[3] - #links)
  if #ids == 0 then break end
  for _, id in ipairs(ids) do
    local link = redis.call('HGET', ARGV[1] .. id, 'link')
    if link then links[#links + 1] = link else redis.call('ZREM', KEYS[1], id) end
    from = '(' .. id
  end
end
return links`;

/** KEYS: open. ARGV: id. */
export const finish = `return redis.call('ZREM', KEYS[1], ARGV[1])`;

/** KEYS: application, facts, untold, user. ARGV: id, expected version, new version, state, keep, facts …. */
export const replaceState = `
${now}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[3], 'state', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[4], ARGV[5])
for index = 6, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[index]) end
if #ARGV > 5 then
  redis.call('EXPIRE', KEYS[2], ARGV[5])
  redis.call('ZADD', KEYS[3], 'NX', now, ARGV[1])
end
return 1`;

/** KEYS: application, unsettled, seen, arrears. ARGV: id, delivery id, arrival, delivery, keep. */
export const acceptDelivery = `
if redis.call('EXISTS', KEYS[1]) == 0 then return redis.error_reply('This application is not in the store.') end
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1 then return 'unsettled' end
if redis.call('ZSCORE', KEYS[3], ARGV[2]) then return 'settled' end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3] .. '|' .. ARGV[4])
redis.call('ZADD', KEYS[3], redis.call('HINCRBY', KEYS[1], 'accepted', 1), ARGV[2])
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -201)
redis.call('ZADD', KEYS[4], 'NX', ARGV[3], ARGV[1])
for index = 1, 3 do redis.call('EXPIRE', KEYS[index], ARGV[5]) end
return 'new'`;

/** KEYS: unsettled. */
export const unsettledDeliveries = `return redis.call('HVALS', KEYS[1])`;

/** KEYS: unsettled, arrears. ARGV: id, delivery ids …. */
export const settleDeliveries = `
for index = 2, #ARGV do redis.call('HDEL', KEYS[1], ARGV[index]) end
local oldest
for _, kept in ipairs(redis.call('HVALS', KEYS[1])) do
  local arrival = tonumber(string.match(kept, '^(%d+)|'))
  if not oldest or arrival < oldest then oldest = arrival end
end
if oldest then redis.call('ZADD', KEYS[2], oldest, ARGV[1]) else redis.call('ZREM', KEYS[2], ARGV[1]) end
return 1`;

/** KEYS: facts, lease, untold. ARGV: id, holder, lease. */
export const claimFacts = `
${now}
local facts = redis.call('LRANGE', KEYS[1], 0, -1)
local holder = redis.call('GET', KEYS[2])
if #facts == 0 or (holder and holder ~= ARGV[2]) then return false end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
redis.call('ZADD', KEYS[3], now + ARGV[3], ARGV[1])
return facts`;

/** KEYS: facts, lease, untold. ARGV: id, holder, fact id. */
export const strikeFact = `
local start = ARGV[3] .. '|'
for _, kept in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.sub(kept, 1, #start) == start then redis.call('LREM', KEYS[1], 1, kept) end
end
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('ZREM', KEYS[3], ARGV[1]) end
return redis.call('GET', KEYS[2]) == ARGV[2] and 1 or 0`;

/** KEYS: facts, lease, untold. ARGV: id, holder. */
export const releaseFacts = `
${now}
if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[2])
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('ZADD', KEYS[3], now, ARGV[1]) end
return 1`;

/**
 * KEYS: untold, arrears. ARGV: arrival, where to begin, limit, prefixes of applications, bookmarks, facts, unsettled.
 *
 * In the order of time, so that no more is read than is asked for: of the two places that an application may have, the earlier
 * one counts. The last one leaves a bookmark, since it may be dealt with, and out of both lists, before the next
 * page is asked for. Takes out of the lists what has expired.
 */
export const leftWork = `
${now}
local limit, applications = tonumber(ARGV[3]), ARGV[4]
local begin = redis.call('GET', ARGV[5] .. ARGV[2]) or '-inf'
local ends = { now, tonumber(ARGV[1]) - 1 }

-- By bytes, as the lists have those of one time: "<" asks for the server's language.
local function precedes(left, right)
  if left.score ~= right.score then return left.score < right.score end
  for place = 1, math.min(#left.id, #right.id) do
    local a, b = left.id:byte(place), right.id:byte(place)
    if a ~= b then return a < b end
  end
  return #left.id < #right.id
end

local function isEarlierInOther(list, item)
  local score = tonumber(redis.call('ZSCORE', KEYS[3 - list], item.id) or nil)
  if not score or score > ends[3 - list] then return false end
  return score < item.score or (score == item.score and list == 2)
end

local before, left = { score = tonumber(begin) or -math.huge, id = ARGV[2] }, {}
for list = 1, 2 do
  local found, offset = 0, 0
  while found < limit do
    local page = redis.call('ZRANGEBYSCORE', KEYS[list], begin, ends[list], 'WITHSCORES', 'LIMIT', offset, limit)
    if #page == 0 then break end
    for place = 1, #page, 2 do
      local item = { id = page[place], score = tonumber(page[place + 1]) }
      if redis.call('EXISTS', applications .. item.id, ARGV[5 + list] .. item.id) < 2 then
        redis.call('ZREM', KEYS[list], item.id)
      else
        offset = offset + 1
        if found < limit and precedes(before, item) and not isEarlierInOther(list, item) then
          found = found + 1
          left[#left + 1] = item
        end
      end
    end
  end
end
table.sort(left, precedes)
local ids = {}
for place = 1, math.min(limit, #left) do ids[place] = left[place].id end
if #ids > 0 then redis.call('SET', ARGV[5] .. ids[#ids], left[#ids].score, 'EX', 3600) end
return ids`;

/** KEYS: none. ARGV: channel, id. */
export const publish = `return redis.call('PUBLISH', ARGV[1], ARGV[2])`;
