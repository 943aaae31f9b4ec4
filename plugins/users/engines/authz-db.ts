import type { Kysely, Transaction } from "kysely";
import { z } from "zod";
import type { AuthzRecord, AuthzStore, Tuple } from "../contract.js";
import { applyChange, type UserDatabase, type AuthzRow, type Tables } from "./database.js";
import { seenReport } from "./authz-local.js";

/** Tuples in a database, SQLite or PostgreSQL. */
export class DbAuthzStore implements AuthzStore {
  readonly #database: UserDatabase;

  constructor(database: UserDatabase) {
    this.#database = database;
  }

  get(user: string): Promise<AuthzRecord | null> {
    return this.#database.run(async (db) => {
      // One query: each round trip to the database costs time.
      const rows = await db
        .selectFrom("site_authz_users as record")
        .leftJoin("site_authz_tuples as tuple", "tuple.user_id", "record.user_id")
        .select(["fingerprint", "ended_at", "ended_by", "relation", "object", "hmac"])
        .where("record.user_id", "=", user)
        .orderBy("relation")
        .orderBy("object")
        .execute();
      const [row] = rows;
      return row === undefined
        ? null
        : toRecord(
            user,
            row,
            rows.flatMap((one) => toTuple(user, one)),
          );
    });
  }

  update(user: string, change: (record: AuthzRecord) => AuthzRecord): Promise<AuthzRecord> {
    return this.#database.run((db) =>
      db.transaction().execute(async (transaction) => {
        // The first statement is a write: it locks the user's row until the end (see
        // engines/db.ts).
        const row = await transaction
          .insertInto("site_authz_users")
          .values({ user_id: user, fingerprint: null, version: 1, ended_at: null, ended_by: null })
          .onConflict((conflict) =>
            conflict.column("user_id").doUpdateSet((expression) => ({
              version: expression("site_authz_users.version", "+", 1),
            })),
          )
          .returning(["fingerprint", "ended_at", "ended_by"])
          .executeTakeFirstOrThrow();
        const before = toRecord(user, row, await readTuples(transaction, user));
        const after = applyChange(change, before);
        if (after !== before) await write(transaction, after);
        return after;
      }),
    );
  }

  users(): Promise<readonly string[]> {
    return this.#database.run(async (db) => {
      const rows = await db.selectFrom("site_authz_users").select("user_id").execute();
      return rows.map((row) => row.user_id);
    });
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

function toRecord(
  user: string,
  row: Pick<AuthzRow, "fingerprint" | "ended_at" | "ended_by">,
  tuples: AuthzRecord["tuples"],
): AuthzRecord {
  const { fingerprint, ended_at: endedAt, ended_by: reports } = row;
  return {
    user,
    fingerprint,
    tuples,
    ...(endedAt === null ? {} : { endedAt }),
    ...(reports === null ? {} : { endedBy: z.array(seenReport).parse(JSON.parse(reports)) }),
  };
}

async function readTuples(db: Kysely<Tables>, user: string): Promise<AuthzRecord["tuples"]> {
  const rows = await db
    .selectFrom("site_authz_tuples")
    .selectAll()
    .where("user_id", "=", user)
    .orderBy("relation")
    .orderBy("object")
    .execute();
  return rows.flatMap((row) => toTuple(user, row));
}

/** Null if the joined row has no tuple. */
function toTuple(
  user: string,
  { relation, object, hmac }: { [K in "relation" | "object" | "hmac"]: string | null },
): Tuple[] {
  if (relation === null || object === null) return [];
  return [{ user, relation, object, ...(hmac === null ? {} : { hmac }) }];
}

async function write(transaction: Transaction<Tables>, record: AuthzRecord): Promise<void> {
  const { user, fingerprint, tuples, endedAt = null, endedBy } = record;
  const reports = endedBy === undefined ? null : JSON.stringify(endedBy);
  await transaction
    .updateTable("site_authz_users")
    .set({ fingerprint, ended_at: endedAt, ended_by: reports })
    .where("user_id", "=", user)
    .execute();
  await transaction.deleteFrom("site_authz_tuples").where("user_id", "=", user).execute();
  if (tuples.length === 0) return;
  await transaction
    .insertInto("site_authz_tuples")
    .values(
      tuples.map(({ relation, object, hmac = null }) => ({
        user_id: user,
        relation,
        object,
        hmac,
      })),
    )
    .execute();
}
