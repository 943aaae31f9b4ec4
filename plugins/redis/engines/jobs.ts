import type { JobRecord, JobStore } from "#kernel";
import { JOB_ID, LeasedJobs, parseJob, type LeaseBeat, type LeaseStore } from "#kernel/internal";
import type { RedisCalls } from "#lib/stores";
import { BEAT, RELEASE, REMOVE, WRITE, WRITE_NEW } from "./job-scripts.js";

/** Where every key of jobs begins. */
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
