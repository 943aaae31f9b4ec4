import type { Request, Response } from "express";
import { HttpError, type SiteContext } from "#kernel";
import type { WriteRights, ContentChangeResult } from "../../content/contract.js";
import type { AuditLog } from "../audit-log.js";
import { mayAt, toWriteRights } from "../accounts/rights.js";
import type { AccountServices } from "../accounts/account-services.js";
import type { AdminIdentity, AuditEvent } from "../contract.js";
import type { Identities } from "../accounts/identities.js";
import type { LoginAttempts } from "../accounts/login-attempts.js";
import type { Admin } from "../service.js";
import type { Trash } from "../trash.js";
import type { MovedPages } from "../write/moved-pages.js";

/** Dependencies of the admin API routes. */
export interface AdminContext {
  site: SiteContext;
  admin: Admin;
  identities: Identities;
  attempts: LoginAttempts;
  account: AccountServices;
  audit: AuditLog;
  trash: Trash;
  moved: MovedPages;
}

/** A request and its response. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
}
/** A request and its sender. */
export interface IdentifiedRequest {
  readonly req: Request;
  readonly identity: AdminIdentity;
}
/** A request, its response, and the sender. */
export interface IdentifiedExchange extends Exchange, IdentifiedRequest {}

/** An action of a signed-in identity. */
interface NotedEvent extends AuditEvent {
  actor: AdminIdentity;
}

/** Writes an action to the audit log. */
export function note(
  { admin }: Pick<AdminContext, "admin">,
  req: Request,
  event: NotedEvent,
): void {
  admin.audit({ ip: req.ctx.ip, ...event });
}

/** The identity as an actor of the write path. */
export function toActor({ id, name, email }: AdminIdentity): {
  id: string;
  name: string;
  email: string;
} {
  return { id, name, email };
}

/** The author of changes and their rights, for the write paths of pages and records. */
export function writeOptions(identity: AdminIdentity): {
  actor: ReturnType<typeof toActor>;
  rights: WriteRights;
} {
  return { actor: toActor(identity), rights: toWriteRights(identity) };
}

/**
 * Rejects a token that is limited to fields, for changes that cannot be limited to fields.
 * @throws HttpError 403.
 */
export function assertAllFields({ limits }: AdminIdentity): void {
  const fields = limits?.fields ?? null;
  if (fields === null) return;
  const message = `this token may change only ${fields.join(", ")}; use another token`;
  throw new HttpError(403, message, { code: "ERR_ADMIN_FORBIDDEN" });
}

/** @throws HttpError 403 naming the missing permission. */
export function assertMay(
  identity: AdminIdentity,
  permission: "config.read" | "config.update" | "pages.create" | "pages.publish",
): void {
  if (identity.permissions.has(permission)) return;
  throw new HttpError(403, `permission ${permission} is needed`, { code: "ERR_ADMIN_FORBIDDEN" });
}

/** The digest in `If-Match: "…"`; undefined without the header and for `*`. */
export function ifMatch(req: Request): string | undefined {
  const header = req.headers["if-match"];
  if (header === undefined || header.trim() === "*") return undefined;
  return /^(?:W\/)?"([^"]*)"$/.exec(header.trim())?.[1] ?? header.trim();
}

/** @throws HttpError 404. */
export function notFound(what = "Not found"): HttpError {
  return new HttpError(404, what);
}

/**
 * Requires a service of an optional plugin.
 * @throws HttpError 404 naming the plugin.
 */
export function selected<T>(service: T | undefined, plugin: string): T {
  if (service !== undefined) return service;
  throw new HttpError(404, `plugin ${plugin} is not selected`);
}

/** A request about the page that has a path. */
interface PageRequest extends IdentifiedExchange {
  readonly sourcePath: string;
}

/**
 * Says where the page is that had the path until it moved, with 404 for a read and 409 for anything else; false
 * without such a page, and when the sender may not read it.
 */
export async function sendMoved(
  { site, moved }: AdminContext,
  { req, res, identity, sourcePath }: PageRequest,
): Promise<boolean> {
  const movedTo = moved.find(sourcePath);
  if (movedTo === null || !mayAt(identity, "pages.read", movedTo)) return false;
  const error = `the page has moved to ${JSON.stringify(movedTo)}`;
  const status = req.method === "GET" || req.method === "HEAD" ? 404 : 409;
  await site.http.json(req, res, { error, movedTo }, { status });
  return true;
}

/** A file before and after a change; null: it is missing, or not text. */
interface TextChange {
  path: string;
  before: string | null;
  after: string | null;
}

/** The texts of a dry run of the write path. */
export function textChanges(results: readonly ContentChangeResult[]): TextChange[] {
  return results.map(({ path, texts }) => ({
    path,
    before: texts?.before ?? null,
    after: texts?.after ?? null,
  }));
}

/** Responds with what a request would change; `hash` identifies the version that was read. */
export async function sendDryRun(
  { site }: Pick<AdminContext, "site">,
  { req, res }: Exchange,
  changes: readonly TextChange[],
  hash?: string,
): Promise<void> {
  const headers: Record<string, string> = hash === undefined ? {} : { ETag: `"${hash}"` };
  await site.http.json(req, res, { dryRun: true, changes }, { status: 200, headers });
}
