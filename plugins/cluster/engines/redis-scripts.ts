/** Scripts that run inside Redis, so that each is one step for all nodes. */

/** KEYS: site. ARGV: site. Returns the site that owns the database. */
export const OWN = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])`;

/** KEYS: node, nodes, leader, lock. ARGV: id, name, record, ttl, token. Returns the other node of this name, and the leader. */
export const BEAT = `
local found = redis.call('GET', KEYS[1])
if found and cjson.decode(found).id ~= ARGV[1] then return {found, ''} end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
redis.call('SADD', KEYS[2], ARGV[2])
local leader = redis.call('GET', KEYS[3])
if not leader or leader == ARGV[1] then
  redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[4])
  leader = ARGV[1]
end
local held = redis.call('GET', KEYS[4])
if held and held ~= ARGV[5] and string.sub(held, 1, #ARGV[1] + 1) == ARGV[1] .. '#' then
  redis.call('DEL', KEYS[4])
end
return {'', leader}`;

/** KEYS: node, nodes, leader, lock. ARGV: id, name. */
export const LEAVE = `
local found = redis.call('GET', KEYS[1])
if found and cjson.decode(found).id == ARGV[1] then
  redis.call('DEL', KEYS[1])
  redis.call('SREM', KEYS[2], ARGV[2])
end
if redis.call('GET', KEYS[3]) == ARGV[1] then redis.call('DEL', KEYS[3]) end
local held = redis.call('GET', KEYS[4])
if held and string.sub(held, 1, #ARGV[1] + 1) == ARGV[1] .. '#' then redis.call('DEL', KEYS[4]) end
return ''`;

/** KEYS: lock. ARGV: token, ttl, id. A node takes one lock at a time, so another one of its own is a leftover. */
export const LOCK = `
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 1, #ARGV[3] + 1) ~= ARGV[3] .. '#' then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/** KEYS: lock. ARGV: token, ttl. */
export const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

/** KEYS: lock. ARGV: token. */
export const UNLOCK = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;

const REMEMBER = `
local function remember(key, state, exact, node)
  local time = redis.call('TIME')[1]
  redis.call('LPUSH', key, cjson.encode({state, exact, node, time}))
  redis.call('LTRIM', key, 0, 15)
  redis.call('EXPIRE', key, 604800)
end`;

/**
 * KEYS: lock, then one per version. ARGV: id, node, then state and exact of each. Returns a node per
 * version, or an empty list while another node writes. An equal state counts as announced if it is the
 * newest one; the same file also if it is not, for a minute: a node may look at it late.
 */
export const CLAIM = `${REMEMBER}
local now = tonumber(redis.call('TIME')[1])
local found = {}
local isNew = false
for at = 2, #KEYS do
  local state, exact = ARGV[at * 2 - 1], ARGV[at * 2]
  found[at - 1] = ''
  for nth, text in ipairs(redis.call('LRANGE', KEYS[at], 0, -1)) do
    local known = cjson.decode(text)
    local isRecent = now - tonumber(known[4]) < 60
    if (nth == 1 and known[1] == state) or (isRecent and known[2] == exact) then
      found[at - 1] = known[3]
      break
    end
  end
  if found[at - 1] == '' then isNew = true end
end
if not isNew then return found end
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 1, #ARGV[1] + 1) ~= ARGV[1] .. '#' then return {} end
for at = 2, #KEYS do
  if found[at - 1] == '' then
    remember(KEYS[at], ARGV[at * 2 - 1], ARGV[at * 2], ARGV[2])
    found[at - 1] = ARGV[2]
  end
end
return found`;

/** KEYS: stream, open, then one per version. ARGV: length, message, node, name of the announcement or nothing, then state and exact of each. */
export const SEND = `${REMEMBER}
for at = 3, #KEYS do remember(KEYS[at], ARGV[at * 2 - 1], ARGV[at * 2], ARGV[3]) end
if ARGV[4] ~= '' then redis.call('HSET', KEYS[2], ARGV[4], ARGV[2]) end
return redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'message', ARGV[2])`;

/** KEYS: open. ARGV: how keys of nodes begin. Returns the messages of nodes that no longer run. */
export const ORPHANS = `
local found = {}
for _, text in ipairs(redis.call('HVALS', KEYS[1])) do
  local message = cjson.decode(text)
  local node = redis.call('GET', ARGV[1] .. message.node)
  if not node or cjson.decode(node).id ~= message.id then table.insert(found, text) end
end
return found`;
