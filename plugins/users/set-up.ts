import { join, resolve } from "node:path";
import {
  closeEngines,
  engineFailureFields,
  type EngineSlot,
  type Logger,
  type SiteContext,
  SiteError,
} from "#kernel";
import type { ContentService } from "../content/contract.js";
import { AuthzFront, TupleSignature } from "./authz-front.js";
import type { AuthzStore, UserStore, UsersService } from "./contract.js";
import { DbAuthzStore } from "./engines/authz-db.js";
import { LocalAuthzStore } from "./engines/authz-local.js";
import { UserDatabase } from "./engines/database.js";
import { DbUserStore } from "./engines/db.js";
import { LocalUserStore } from "./engines/local.js";
import { SessionUserStore } from "./engines/session.js";
import { Passwords } from "./password.js";
import { createPasskeyService } from "./passkey-service.js";
import {
  authzStoreCalls,
  authzStoreProblem,
  userStoreCalls,
  userStoreProblem,
  storeSettings,
} from "./stores.js";
import { UsersFront } from "./users-front.js";

/** Registers what the plugin does in a site that starts. */
export async function setUpUsers(site: SiteContext): Promise<void> {
  const slots = openSlots(site);
  const { hooks, log } = site;
  const { clock } = site.runtime;
  const authz = new AuthzFront({
    store: () => (slots.authz.activeName === null ? null : slots.authz.active),
    signature: new TupleSignature(site.runtime.env.get("SITE_AUTHZ_HMAC_SECRET")),
    log,
  });
  site.provide("authz", authz);
  const users = new UsersFront({
    store: () => site.runtime.trace.traced("store.user", slots.users.active),
    authz,
    passwords: new Passwords(),
    clock,
    hooks,
    log,
    endSessions: async (userId) => {
      await site.use("session", { optional: true })?.revokeUser(userId);
    },
  });
  site.provide("users", users);
  site.provide("passkeys", createPasskeyService(site));
  checkAccounts(site.use("content", { optional: true }), users, log);
  site.lifecycle.onReady(() => chooseStores(site, slots));
  site.lifecycle.onClose(async () => {
    await closeEngines(slots.users, log);
    await closeEngines(slots.authz, log);
  });
}

interface Slots {
  users: EngineSlot<UserStore>;
  authz: EngineSlot<AuthzStore>;
  local: LocalUserStore;
  database: UserDatabase;
}

function openSlots(site: SiteContext): Slots {
  const { data, root } = site.paths;
  const parts = { log: site.log, now: () => site.runtime.clock.now() };
  const path = site.runtime.env.get("SITE_DB_PATH");
  const database = new UserDatabase({
    path: path === undefined ? undefined : resolve(root, path),
    url: site.runtime.env.get("SITE_DB_URL"),
    log: site.log,
  });
  const local = new LocalUserStore({ folder: join(data, "users"), ...parts });
  const users = site.engines.open("userStore", userStoreProblem, userStoreCalls);
  users.register("local", local);
  users.register("session", new SessionUserStore(local));
  users.register("db", new DbUserStore(database));
  const authz = site.engines.open("authzStore", authzStoreProblem, authzStoreCalls);
  authz.register("local", new LocalAuthzStore({ folder: join(data, "permissions"), ...parts }));
  authz.register("db", new DbAuthzStore(database));
  return { users, authz, local, database };
}

async function chooseStores(site: SiteContext, slots: Slots): Promise<void> {
  const settings = storeSettings(site.settings.site.auth);
  await site.hooks.run("onUserStoreCreate", {
    register: (name, store) => slots.users.register(name, store),
    activate: (name) => slots.users.activate(name),
    registerAuthz: (name, store) => slots.authz.register(name, store),
    activateAuthz: (name) => slots.authz.activate(name),
    settings,
  });
  if (slots.users.activeName === null) slots.users.activate(settings.userStore);
  if (slots.authz.activeName === null && settings.authzStore !== null) {
    slots.authz.activate(settings.authzStore);
  }
  await openStores(site, slots);
}

async function openStores(
  site: SiteContext,
  { users, authz, local, database }: Slots,
): Promise<void> {
  if (users.activeName === "db" || authz.activeName === "db") {
    const isSet = ["SITE_DB_PATH", "SITE_DB_URL"].some(
      (name) => site.runtime.env.get(name) !== undefined,
    );
    if (!isSet) {
      throw new SiteError(
        "ERR_USER_DB_UNSET",
        "`db` is chosen and neither SITE_DB_PATH nor SITE_DB_URL is set",
        {
          fix: "set SITE_DB_PATH to a file (SQLite) or SITE_DB_URL to postgres://…",
        },
      );
    }
    await database.open();
  }
  if (users.activeName === "db") return;
  // In the background: checking a large folder must not delay startup; lookups that need it wait.
  local.check().catch((error: unknown) => {
    site.log.error("users.check_failed", { error: String(error) });
  });
}

/** Makes fields of kind `user` check that the account exists. */
function checkAccounts(
  content: Pick<ContentService, "relations"> | undefined,
  users: UsersService,
  log: Logger,
): void {
  content?.relations.addTarget("user", async (id) => {
    try {
      // Visitors of a store without memory cannot be looked up.
      return users.isStateless || (await users.get(id)) !== null;
    } catch (error) {
      // A page must not be lost to a store that is down.
      log.warn("users.relation_unchecked", { id, ...engineFailureFields(error) });
      return true;
    }
  });
}
