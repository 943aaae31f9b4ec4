import type { SharedDatabase } from "#lib/databases";
import { JOB_ID, LeasedJobs, jobSchema, type LeaseBeat, type LeaseStore } from "#lib/jobs";
import type { JobRecord, JobStore } from "../../jobs/contract.js";

/** Records of one query. */
const PAGE = 500;

/** An attempt of a node that has lost its lease is not recorded: the owner counts its own. */
const WRITE = `
insert into site_jobs (id, queue, is_dead, is_new, record)
select $1::text, $2::text, $3::boolean, $4::boolean, $5::json
where $6::boolean
  or exists (select from site_leases where name = 'jobs' and owner = $7 and until > clock_timestamp())
on conflict (id) do update
  set is_dead = excluded.is_dead, is_new = excluded.is_new, record = excluded.record`;

/** New jobs need no lease. */
const WRITE_NEW = `
insert into site_jobs (id, queue, is_dead, is_new, record)
select id, queue, false, $4::boolean, record::json
from unnest($1::text[], $2::text[], $3::text[]) as added (id, queue, record)`;

/** Jobs of all nodes; the owner of a lease runs them. */
export class PostgresJobs extends LeasedJobs implements JobStore {
  readonly #database: SharedDatabase;

  constructor(database: SharedDatabase) {
    super(new PostgresLease(database));
    this.#database = database;
  }

  async write(record: JobRecord): Promise<void> {
    const { id, queue, state, attempts } = record;
    const isFirst = attempts === 0;
    const text = JSON.stringify(record);
    const flags = [state === "dead", isFirst && !this.isOwner];
    const values = [id, queue, ...flags, text, isFirst, this.leaseId];
    const write = () => this.#database.run((db) => db.query(WRITE, values));
    const { rowCount } = await this.lock.run(id, write);
    if (rowCount === 0) throw new Error("another node runs the jobs by now");
  }

  async writeNew(records: readonly JobRecord[]): Promise<void> {
    const queues = records.map(({ queue }) => queue);
    const texts = records.map((record) => JSON.stringify(record));
    const values = [records.map(({ id }) => id), queues, texts, !this.isOwner];
    await this.#database.run((db) => db.query(WRITE_NEW, values));
  }

  async remove({ id }: JobRecord): Promise<void> {
    const remove = () =>
      this.#database.run((db) => db.query("delete from site_jobs where id = $1", [id]));
    await this.lock.run(id, remove);
  }

  async read(queue: string, id: string): Promise<JobRecord | null> {
    if (!JOB_ID.test(id)) return null;
    const sql = "select record from site_jobs where id = $1 and queue = $2";
    const { rows } = await this.#database.run((db) =>
      db.query<{ record: unknown }>(sql, [id, queue]),
    );
    return jobSchema.safeParse(rows[0]?.record).data ?? null;
  }

  async *list(queue: string, kind: "live" | "dead"): AsyncGenerator<JobRecord> {
    const sql =
      "select id, record from site_jobs where queue = $1 and is_dead = $2 and id > $3 order by id limit $4";
    for (let after = ""; ;) {
      const values = [queue, kind === "dead", after, PAGE];
      const { rows } = await this.#database.run((db) =>
        db.query<{ id: string; record: unknown }>(sql, values),
      );
      yield* rows.flatMap(({ record }) => jobSchema.safeParse(record).data ?? []);
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.id ?? "";
    }
  }

  async count(queue: string, kind: "live" | "dead"): Promise<number> {
    const sql = "select count(*) as count from site_jobs where queue = $1 and is_dead = $2";
    const { rows } = await this.#database.run((db) =>
      db.query<{ count: number }>(sql, [queue, kind === "dead"]),
    );
    return rows[0]?.count ?? 0;
  }
}

const BEAT = `
with beat as (
  insert into site_leases (name, owner, until)
  values ('jobs', $1, clock_timestamp() + $2 * interval '1 ms')
  on conflict (name) do update set owner = excluded.owner, until = excluded.until
  where site_leases.owner = excluded.owner or site_leases.until < clock_timestamp()
  returning owner
), fresh as (
  update site_jobs set is_new = false where is_new and exists (select from beat)
  returning id
)
select exists (select from beat) as "isOwner", exists (select from fresh) as "hasNew"`;

/** The row of the owner of the jobs. */
class PostgresLease implements LeaseStore {
  readonly #database: SharedDatabase;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  async beat(id: string, ms: number): Promise<LeaseBeat> {
    const { rows } = await this.#database.run((db) => db.query<LeaseBeat>(BEAT, [id, ms]));
    return rows[0] ?? { isOwner: false, hasNew: false };
  }

  async release(id: string): Promise<void> {
    const sql = "delete from site_leases where name = 'jobs' and owner = $1";
    await this.#database.run((db) => db.query(sql, [id]));
  }
}
