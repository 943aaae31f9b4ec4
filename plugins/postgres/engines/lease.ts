import type { SharedDatabase } from "#lib/stores";
import type { LeaseBeat, LeaseStore } from "#kernel/internal";

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
export class PostgresLease implements LeaseStore {
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
