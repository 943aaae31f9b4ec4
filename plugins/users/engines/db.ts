import type { Kysely, Transaction } from "kysely";
import type { User, UserChange, UserStore } from "../contract.js";
import { applyChange, type UserDatabase, type Tables, type UserRow } from "./database.js";
import { takenError, type KeyKind, keepIdentity, userShape } from "../user-fields.js";

/** Accounts in SQLite or PostgreSQL; constraints keep every key unique. */
export class DbUserStore implements UserStore {
  readonly #database: UserDatabase;

  constructor(database: UserDatabase) {
    this.#database = database;
  }

  create(user: User): Promise<User> {
    return this.#transaction(async (transaction) => {
      await transaction
        .insertInto("site_users")
        .values({ ...toRow(user), version: 1 })
        .execute();
      await insertIdentities(transaction, user);
      return user;
    });
  }

  get(id: string): Promise<User | null> {
    return this.#one((db) => db.selectFrom("site_users").selectAll().where("id", "=", id));
  }

  findByEmail(email: string): Promise<User | null> {
    const key = email.toLowerCase();
    return this.#one((db) => db.selectFrom("site_users").selectAll().where("email", "=", key));
  }

  findByUsername(username: string): Promise<User | null> {
    const key = username.toLowerCase();
    return this.#one((db) =>
      db.selectFrom("site_users").selectAll().where("username_key", "=", key),
    );
  }

  findByIdentity(provider: string, providerId: string): Promise<User | null> {
    return this.#one((db) =>
      db
        .selectFrom("site_user_identities as identity")
        .innerJoin("site_users", "site_users.id", "identity.user_id")
        .selectAll("site_users")
        .where("identity.provider", "=", provider)
        .where("identity.provider_id", "=", providerId),
    );
  }

  update(id: string, change: UserChange): Promise<User | null> {
    return this.#transaction(async (transaction) => {
      // Starting with a write locks the row (PostgreSQL) or the file (SQLite) before anything is
      // read, so that no update is lost.
      const row = await transaction
        .updateTable("site_users")
        .set((expression) => ({ version: expression("version", "+", 1) }))
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return null;
      const before = fromRow(row);
      const after = keepIdentity(before, applyChange(change, before));
      if (after !== before) await write(transaction, before, after);
      return after;
    });
  }

  delete(id: string): Promise<User | null> {
    return this.#transaction(async (transaction) => {
      await transaction.deleteFrom("site_user_identities").where("user_id", "=", id).execute();
      const row = await transaction
        .deleteFrom("site_users")
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : fromRow(row);
    });
  }

  list({ limit, offset }: { limit: number; offset: number }): Promise<readonly User[]> {
    return this.#database.run(async (db) => {
      const rows = await db
        .selectFrom("site_users")
        .selectAll()
        .orderBy("created_at")
        .orderBy("id")
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(fromRow);
    });
  }

  count(): Promise<number> {
    return this.#database.run(async (db) => {
      const row = await db
        .selectFrom("site_users")
        .select((expression) => expression.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    });
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #one(
    query: (db: Kysely<Tables>) => {
      executeTakeFirst(): Promise<Tables["site_users"] | undefined>;
    },
  ) {
    return this.#database.run(async (db): Promise<User | null> => {
      const row = await query(db).executeTakeFirst();
      return row === undefined ? null : fromRow(row);
    });
  }

  #transaction<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T> {
    return this.#database.run(async (db) => {
      try {
        return await db.transaction().execute(work);
      } catch (error) {
        const kind = takenKind(error);
        throw kind === null ? error : takenError(kind);
      }
    });
  }
}

async function write(transaction: Transaction<Tables>, before: User, after: User): Promise<void> {
  await transaction
    .updateTable("site_users")
    .set(toRow(after))
    .where("id", "=", after.id)
    .execute();
  const [old, next] = [before, after].map((user) => JSON.stringify(toIdentityRows(user)));
  if (old === next) return;
  await transaction.deleteFrom("site_user_identities").where("user_id", "=", after.id).execute();
  await insertIdentities(transaction, after);
}

async function insertIdentities(transaction: Transaction<Tables>, user: User): Promise<void> {
  const identities = toIdentityRows(user);
  if (identities.length === 0) return;
  await transaction.insertInto("site_user_identities").values(identities).execute();
}

/** The key that violates a unique constraint; null for any other error. */
function takenKind(error: unknown): KeyKind | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  const code = String(error.code);
  if (code !== "23505" && !/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code)) return null;
  // SQLite names the columns in its message, PostgreSQL names the constraint.
  const constraint = "constraint" in error ? String(error.constraint) : error.message;
  if (constraint.includes("site_user_identities")) return "identity";
  if (constraint.includes("username")) return "username";
  return constraint.includes("email") ? "email" : null;
}

/** Converts a record to a row; the database increments `version`. */
function toRow(user: User): Omit<UserRow, "version"> {
  return {
    id: user.id,
    email: user.email.toLowerCase(),
    username: user.username ?? null,
    username_key: user.username?.toLowerCase() ?? null,
    name: user.name ?? null,
    avatar_url: user.avatarUrl ?? null,
    password_hash: user.passwordHash ?? null,
    roles: JSON.stringify(user.roles),
    provider: user.provider,
    provider_id: user.providerId ?? null,
    linked_providers: JSON.stringify(user.linkedProviders),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    last_seen_at: user.lastSeenAt,
    payment_customer_id: user.paymentCustomerId ?? null,
    enabled: user.enabled === false ? 0 : 1,
  };
}

/** Converts a row to a record; null fields become absent. */
function fromRow(row: UserRow): User {
  const fields: Record<string, unknown> = {
    id: row.id,
    email: row.email,
    name: row.name,
    avatarUrl: row.avatar_url,
    username: row.username,
    passwordHash: row.password_hash,
    roles: JSON.parse(row.roles),
    provider: row.provider,
    providerId: row.provider_id,
    linkedProviders: JSON.parse(row.linked_providers),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastSeenAt: row.last_seen_at,
    paymentCustomerId: row.payment_customer_id,
    enabled: row.enabled === 0 ? false : null,
  };
  return userShape.parse(
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  );
}

/** Every identity of an account: the signup identity and the linked ones. */
function toIdentityRows(user: User): { provider: string; provider_id: string; user_id: string }[] {
  const linked = user.linkedProviders.map(({ provider, providerId }) => ({ provider, providerId }));
  const all =
    user.providerId === undefined
      ? linked
      : [{ provider: user.provider, providerId: user.providerId }, ...linked];
  return all.map(({ provider, providerId }) => ({
    provider,
    provider_id: providerId,
    user_id: user.id,
  }));
}
