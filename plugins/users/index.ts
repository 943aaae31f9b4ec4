/**
 * Accounts of visitors and admins, and the roles that gate pages, behind exchangeable stores.
 * Provides: users, authz, passkeys
 * Uses: records, session, content
 * Opens: userStore, authzStore
 * Fires: onUserStoreCreate, onUserCreate, onUserDelete
 * Handles: onUserDelete
 */
import { definePlugin, OptionalPackages, type Settings } from "#kernel";
import { isPostgresUrl } from "#lib/databases";
import { storeSettings } from "./stores.js";
import { userErrors } from "./errors.js";

const packages = new OptionalPackages({
  plugin: "users",
  packages: ["kysely"],
  neededBy: ({ settings }) => databaseKey(settings),
});

const serverPackages = new OptionalPackages({
  plugin: "users",
  packages: ["pg"],
  neededBy: ({ settings, env }) =>
    isPostgresUrl(env.get("SITE_DB_URL")) ? databaseKey(settings) : null,
});

/** The key that stores accounts or roles in a database. */
function databaseKey({ site: { auth } }: Settings): string | null {
  const { userStore, authzStore } = storeSettings(auth);
  if (userStore === "db") return "auth.userStore: db";
  return authzStore === "db" ? "auth.authzStore: db" : null;
}

export default definePlugin({
  name: "users",
  version: "1.0.0",
  async diagnostics() {
    const {
      accountFilesCheck,
      accountFoldersCheck,
      accountsCheck,
      accountServerCheck,
      passwordCheck,
    } = await import("./diagnostics.js");
    return [
      packages.diagnostic,
      serverPackages.diagnostic,
      passwordCheck,
      accountFilesCheck,
      accountFoldersCheck,
      accountsCheck,
      accountServerCheck,
    ];
  },
  onlyServing: true,
  errors: userErrors,
  requires: ["records"],
  after: ["session", "content"],
  fires: { onUserStoreCreate: "create", onUserCreate: "notify", onUserDelete: "notify" },
  async commands() {
    const { deleteUser, grantRole, revokeRole, setPassword, createUser, listUsers, signTuples } =
      await import("./commands.js");
    return [createUser, listUsers, grantRole, revokeRole, setPassword, deleteUser, signTuples];
  },
  async setup(site) {
    await packages.assertInstalled(site);
    await serverPackages.assertInstalled(site);
    const { setUpUsers } = await import("./set-up.js");
    await setUpUsers(site);
  },
});
