import type { Kysely } from "kysely";
import type { DatabaseSchema } from "#kernel/internal";
import type { Tables } from "./database-tables.js";

/** The tables for accounts and tuples. */
export const userSchema: DatabaseSchema = {
  table: "site_migrations",
  migrations: {
    "001-users": { up: createUsers },
    "002-authz": { up: createAuthz },
    "003-authz-ended": { up: addEnded },
    "004-authz-reports": { up: addReports },
  },
};

async function createUsers(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("site_users")
    .addColumn("id", "varchar(128)", (column) => column.primaryKey())
    .addColumn("email", "varchar(320)", (column) => column.notNull().unique())
    .addColumn("username", "varchar(128)")
    .addColumn("username_key", "varchar(128)", (column) => column.unique())
    .addColumn("name", "text")
    .addColumn("avatar_url", "text")
    .addColumn("password_hash", "text")
    .addColumn("roles", "text", (column) => column.notNull())
    .addColumn("provider", "varchar(128)", (column) => column.notNull())
    .addColumn("provider_id", "text")
    .addColumn("linked_providers", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addColumn("last_seen_at", "bigint", (column) => column.notNull())
    .addColumn("payment_customer_id", "text")
    .addColumn("enabled", "integer", (column) => column.notNull())
    .addColumn("version", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("site_users_by_age")
    .on("site_users")
    .columns(["created_at", "id"])
    .execute();
  await db.schema
    .createTable("site_user_identities")
    .addColumn("provider", "varchar(128)", (column) => column.notNull())
    .addColumn("provider_id", "varchar(512)", (column) => column.notNull())
    .addColumn("user_id", "varchar(128)", (column) =>
      column.notNull().references("site_users.id").onDelete("cascade"),
    )
    .addPrimaryKeyConstraint("site_user_identities_key", ["provider", "provider_id"])
    .execute();
  await db.schema
    .createIndex("site_user_identities_by_user")
    .on("site_user_identities")
    .column("user_id")
    .execute();
}

async function createAuthz(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("site_authz_users")
    .addColumn("user_id", "varchar(512)", (column) => column.primaryKey())
    .addColumn("fingerprint", "text")
    .addColumn("version", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("site_authz_tuples")
    .addColumn("user_id", "varchar(512)", (column) => column.notNull())
    .addColumn("relation", "varchar(128)", (column) => column.notNull())
    .addColumn("object", "varchar(512)", (column) => column.notNull())
    .addColumn("hmac", "text")
    .addPrimaryKeyConstraint("site_authz_tuples_key", ["user_id", "relation", "object"])
    .execute();
}

async function addEnded(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("site_authz_users").addColumn("ended_at", "bigint").execute();
}

async function addReports(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("site_authz_users").addColumn("ended_by", "text").execute();
}
