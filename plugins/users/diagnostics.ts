import { join, resolve } from "node:path";
import { jsonFilesCheck, postgresCheck, privateFoldersCheck } from "#lib/diagnostics";
import { sqliteOpener } from "#lib/files";
import { type Diagnostic, type Finding, silentLog, type SiteSettings } from "#kernel";
import type {} from "../auth/contract.js";
import { parseAuthzRecord } from "./engines/authz-local.js";
import { storeSettings } from "./stores.js";
import { parseUser } from "./user-fields.js";

/** The package that hashes passwords loads, and works. */
export const passwordCheck: Diagnostic = {
  name: "passwords",
  run: async () => {
    try {
      const { hash } = await import("@node-rs/argon2");
      await hash("probe", { memoryCost: 1_024, timeCost: 2 });
      return [{ level: "ok", seen: "argon2 hashes passwords" }];
    } catch (error) {
      const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
      const fix = "npm install --include=optional @node-rs/argon2, on this kind of machine";
      return [{ level: "error", seen: `argon2 cannot hash passwords: ${line}`, fix }];
    }
  },
};

/** Only the owner reads accounts and permissions. */
export const accountFoldersCheck: Diagnostic = privateFoldersCheck(({ paths, env }) => {
  const path = env.get("SITE_DB_PATH");
  const file = path === undefined ? null : resolve(paths.root, path);
  const files = file === null ? [] : [file, `${file}-wal`, `${file}-shm`];
  return [join(paths.data, "users"), join(paths.data, "permissions"), ...files];
});

/** Accounts and permissions in files can be read. */
export const accountFilesCheck: Diagnostic = jsonFilesCheck(({ paths }) => [
  { path: join(paths.data, "users"), parse: parseUser, without: true },
  { path: join(paths.data, "permissions"), parse: parseAuthzRecord, without: true },
]);

/** The SQLite file of accounts opens. */
export const accountsCheck: Diagnostic = {
  name: "accounts",
  run: async ({ settings, env, paths }) => {
    const path = env.get("SITE_DB_PATH");
    if (!usesDatabase(settings.site.auth) || env.get("SITE_DB_URL") !== undefined) return [];
    const fix = "set SITE_DB_PATH to a file, or SITE_DB_URL to postgres://…";
    if (path === undefined) return [{ level: "error", seen: "no database is set", fix }];
    await sqliteOpener();
    return openFile(resolve(paths.root, path));
  },
};

async function openFile(path: string): Promise<readonly Finding[]> {
  const { UserDatabase } = await import("./engines/database.js");
  const database = new UserDatabase({ path, url: undefined, log: silentLog });
  try {
    await database.open();
    return [{ level: "ok", seen: "the SQLite file of SITE_DB_PATH opens" }];
  } finally {
    await database.close();
  }
}

/** PostgreSQL with accounts responds. */
export const accountServerCheck: Diagnostic = postgresCheck(({ site }) => usesDatabase(site.auth));

function usesDatabase(auth: SiteSettings["auth"]): boolean {
  const { userStore, authzStore } = storeSettings(auth);
  return userStore === "db" || authzStore === "db";
}
