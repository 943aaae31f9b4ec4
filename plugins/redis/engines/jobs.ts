import type { RedisCalls } from "#lib/databases";
import { JOB_ID, LeasedJobs, parseJob, type LeaseBeat, type LeaseStore } from "#lib/jobs";
import type { JobRecord, JobStore } from "../../jobs/contract.js";

/** Prefix of every key of jobs. */
export const PREFIX = "site:jobs:";
const LEASE = `${PREFIX}lease`;
const NEW = `${PREFIX}new`;
const RECORDS = `${PREFIX}records`;
/** Records of one read. */
const PAGE = 500;

type Kind = "live" | "dead";

/** Jobs of all nodes: a hash of records, a sorted set of ids per queue and kind, the lease of their owner. */
export class RedisJobs extends LeasedJobs implements JobStore {
  readonly #calls: RedisCalls;

  constructor(calls: RedisCalls) {
    super(new RedisLease(calls));
    this.#calls = calls;
  }

  async write(record: JobRecord): Promise<void> {
    const { id, queue, state, attempts } = record;
    const isFirst = attempts === 0;
    const [kind, other]: [Kind, Kind] = state === "dead" ? ["dead", "live"] : ["live", "dead"];
    const keys = [LEASE, NEW, RECORDS, idsKey(queue, kind), idsKey(queue, other)];
    const flags = [isFirst ? "first" : "", isFirst && !this.isOwner ? "new" : ""];
    const args = [this.leaseId, ...flags, id, JSON.stringify(record)];
    const written = await this.lock.run(id, () => this.#eval(WRITE, keys, args));
    if (written !== 1) throw new Error("another node runs the jobs by now");
  }

  async writeNew(records: readonly JobRecord[]): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    const pairs = records.flatMap((record) => [record.id, JSON.stringify(record)]);
    const keys = [NEW, RECORDS, idsKey(first.queue, "live")];
    await this.#eval(WRITE_NEW, keys, [this.isOwner ? "" : "new", ...pairs]);
  }

  async remove({ id, queue }: JobRecord): Promise<void> {
    const keys = [RECORDS, idsKey(queue, "live"), idsKey(queue, "dead")];
    await this.lock.run(id, () => this.#eval(REMOVE, keys, [id]));
  }

  async read(queue: string, id: string): Promise<JobRecord | null> {
    if (!JOB_ID.test(id)) return null;
    const record = parseJob((await this.#calls.run((client) => client.hGet(RECORDS, id))) ?? "");
    return record?.queue === queue ? record : null;
  }

  async *list(queue: string, kind: Kind): AsyncGenerator<JobRecord> {
    const options = { BY: "LEX", LIMIT: { offset: 0, count: PAGE } } as const;
    for (let after = "-"; ;) {
      const ids = await this.#calls.run((client) =>
        client.zRange(idsKey(queue, kind), after, "+", options),
      );
      if (ids.length === 0) return;
      const texts = await this.#calls.run((client) => client.hmGet(RECORDS, ids));
      yield* texts.flatMap((text) => parseJob(text ?? "") ?? []);
      if (ids.length < PAGE) return;
      after = `(${ids.at(-1) ?? ""}`;
    }
  }

  count(queue: string, kind: Kind): Promise<number> {
    return this.#calls.run((client) => client.zCard(idsKey(queue, kind)));
  }

  #eval(script: string, keys: string[], args: string[]): Promise<unknown> {
    return this.#calls.run((client) => client.eval(script, { keys, arguments: args }));
  }
}

/** The key of the owner's lease, which Redis expires by its own clock. */
class RedisLease implements LeaseStore {
  readonly #calls: RedisCalls;

  constructor(calls: RedisCalls) {
    this.#calls = calls;
  }

  async beat(id: string, ms: number): Promise<LeaseBeat> {
    const options = { keys: [LEASE, NEW], arguments: [id, String(ms)] };
    const reply = await this.#calls.run((client) => client.eval(BEAT, options));
    const [isOwner, hasNew] = Array.isArray(reply) ? reply : [];
    return { isOwner: isOwner === 1, hasNew: hasNew === 1 };
  }

  async release(id: string): Promise<void> {
    const options = { keys: [LEASE], arguments: [id] };
    await this.#calls.run((client) => client.eval(RELEASE, options));
  }
}

function idsKey(queue: string, kind: Kind): string {
  return `${PREFIX}${kind}:${queue}`;
}

// Lua scripts, each of which Redis runs in one step. Ids of jobs sort by time.

/**
 * KEYS: lease, new. ARGV: id of the owner, ms. Takes or renews the lease; the owner learns once that others
 * have stored jobs.
 */
const BEAT = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return {0, 0} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {1, redis.call('DEL', KEYS[2])}`;

/** KEYS: lease. ARGV: id of the owner. */
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`;

/**
 * KEYS: lease, new, records, the set that the job belongs to, the other one. ARGV: id of the owner, `first`
 * or the empty text, `new` or the empty text, id, record. An attempt of a node that has lost its lease is
 * not recorded: the owner counts its own.
 */
const WRITE = `
if ARGV[2] ~= 'first' and redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[3], ARGV[4], ARGV[5])
redis.call('ZADD', KEYS[4], 0, ARGV[4])
redis.call('ZREM', KEYS[5], ARGV[4])
if ARGV[3] == 'new' then redis.call('SET', KEYS[2], '1') end
return 1`;

/** KEYS: new, records, live. ARGV: `new` or the empty text, then id and record of each job. */
const WRITE_NEW = `
for at = 2, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
  redis.call('ZADD', KEYS[3], 0, ARGV[at])
end
if ARGV[1] == 'new' then redis.call('SET', KEYS[1], '1') end
return 1`;

/** KEYS: records, live, dead. ARGV: id. */
const REMOVE = `
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return 1`;
