/** What Redis does with jobs in one step. Keys are in the order of `JobKeys`; `id` sorts by time. */

/**
 * KEYS: lease, new. ARGV: id of the owner, ms. Takes or renews the lease; the owner learns once that others
 * have stored jobs.
 */
export const BEAT = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return {0, 0} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {1, redis.call('DEL', KEYS[2])}`;

/** KEYS: lease. ARGV: id of the owner. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`;

/**
 * KEYS: lease, new, records, the set that the job belongs to, the other one. ARGV: id of the owner, `first`
 * or the empty text, `new` or the empty text, id, record. An attempt of a node that has lost its lease is
 * not recorded: the owner counts its own.
 */
export const WRITE = `
if ARGV[2] ~= 'first' and redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[3], ARGV[4], ARGV[5])
redis.call('ZADD', KEYS[4], 0, ARGV[4])
redis.call('ZREM', KEYS[5], ARGV[4])
if ARGV[3] == 'new' then redis.call('SET', KEYS[2], '1') end
return 1`;

/** KEYS: new, records, live. ARGV: `new` or the empty text, then id and record of each job. */
export const WRITE_NEW = `
for at = 2, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
  redis.call('ZADD', KEYS[3], 0, ARGV[at])
end
if ARGV[1] == 'new' then redis.call('SET', KEYS[1], '1') end
return 1`;

/** KEYS: records, live, dead. ARGV: id. */
export const REMOVE = `
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return 1`;

/** KEYS: meta. ARGV: site, version. Returns the site that the jobs belong to, and their version. */
export const CLAIM_SITE = `
redis.call('HSETNX', KEYS[1], 'site', ARGV[1])
redis.call('HSETNX', KEYS[1], 'version', ARGV[2])
return redis.call('HMGET', KEYS[1], 'site', 'version')`;
