import { isPermission, PERMISSIONS } from "./accounts/permissions.js";
import { refusal } from "./errors.js";
import type { SiteContext, WriteLock } from "#kernel";
import { createAccountServices } from "./accounts/account-services.js";
import { TokenRecords } from "./accounts/api-tokens.js";
import { AuditLog } from "./audit-log.js";
import { warnOfDebug } from "./dev-apply/apply-batch.js";
import { ensureAdminInTime } from "./accounts/first-account.js";
import { Identities } from "./accounts/identities.js";
import { LoginAttempts } from "./accounts/login-attempts.js";
import { Guard, mountGuard, type GuardDependencies } from "./middleware.js";
import { RouteTable } from "./route-table.js";
import { mountRoutes } from "./routes/mount.js";
import { showDocument, showPluginPage } from "./routes/panel.js";
import { Admin } from "./service.js";
import { Trash } from "./trash.js";
import { MovedPages } from "./write/moved-pages.js";
import { configuredAddresses } from "./write/settings-gate.js";

/** Registers what the plugin does in a site that starts. */
export function setUpAdmin(site: SiteContext): void {
  const { http, log, paths, settings: all } = site;
  const { clock } = site.runtime;
  const table = new RouteTable(all.admin.path);
  const records = site.use("records");
  const tokens = new TokenRecords(records, clock);
  const session = site.use("session");
  const users = site.use("users");
  const security = site.use("security");
  const audit = new AuditLog(records, clock, log);
  const account = createAccountServices(site, audit);
  const { roles } = account;
  const ownersOf = (path: string): readonly string[] | null => site.use("content").ownersOf(path);
  const identities = new Identities({ session, users, tokens, roles, ownersOf });
  const parts: GuardDependencies = {
    table,
    identities,
    session,
    security,
    log,
    audit: (event) => audit.write(event),
  };
  const guard = new Guard(parts);
  const admin: Admin = new Admin({
    http,
    table,
    guard,
    identities,
    audit,
    tokens,
    account,
    catchUp: (paths) => site.use("content").catchUp(paths),
    showPage: (req, res, page, identity) =>
      showPluginPage(site, table, { req, res, identity }, page),
    showDocument: (req, res, document) =>
      showDocument({ admin, site }, table, { req, res }, document),
  });
  mountGuard(site, guard, parts);
  site.engines.activate("authorization", {
    permissions: PERMISSIONS,
    authorize: async (req, permission) => {
      if (permission === "any" || isPermission(permission)) await guard.authorize(req, permission);
      else throw refusal(403, "ERR_ADMIN_FORBIDDEN", "no such permission");
    },
  });
  const attempts = new LoginAttempts(security.attempts);
  const trash = new Trash(site);
  const moved = new MovedPages(site);
  mountRoutes({ site, admin, identities, attempts, audit, account, trash, moved }, table);
  site.provide("admin", admin);
  const closing = new AbortController();
  site.lifecycle.onListen(async () => {
    warnOfDebug(site);
    const writeLock = (): WriteLock => site.engines.slot("writeLock").active;
    await ensureAdminInTime({ users, runtime: paths.runtime, log, writeLock }, closing.signal);
  });
  // Deletes what is too old.
  site.lifecycle.afterReady(async () => void (await trash.list()));
  // An address that left the files is the operator's when it comes back.
  site.lifecycle.afterReady(async () => {
    const guarded = site.use("guardedHosts", { optional: true });
    if (guarded !== undefined) await guarded.keepOnly(await configuredAddresses(site));
  });
  site.lifecycle.onClose(() => {
    closing.abort();
    return audit.settled();
  });
}
