import type { z } from "zod";
import { HttpError } from "#kernel";
import { contentPath, allowedTransitions, readStatus } from "../../write/page-source.js";
import { checked, fieldsChange } from "../../write/save-page.js";
import {
  note,
  notFound,
  writeOptions,
  type AdminContext,
  type IdentifiedRequest,
} from "../admin-context.js";
import type { PageEntry } from "../../../content/contract.js";
import { lacksOf, mayAt } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import { planProblem } from "../../working-copies/working-copies.js";
import { WorkingCopyStore, type WorkingCopy } from "../../working-copies/working-copy-store.js";
import { type action, workflowApi } from "../../schemas/workflow.js";

/** Editorial status of a page and its transitions. */
export function workflowRoutes(context: AdminContext): void {
  const { admin, site } = context;
  const content = site.use("content");
  admin.route({
    method: "get",
    path: "/workflow/status/*path",
    permission: "pages.read",
    summary: "Status of a page and its allowed transitions",
    responses: workflowApi["GET /workflow/status/*path"].responses,
    handler: (req, res, { params }) => {
      const sourcePath = contentPath(params["path"] ?? "");
      const entry = content.generation().bySource.get(sourcePath);
      if (entry === undefined) throw notFound();
      const status = readStatus(entry);
      const allowed = allowedTransitions(status);
      return site.http.json(req, res, { sourcePath, status, allowedTransitions: allowed });
    },
  });
  admin.route({
    method: "post",
    path: "/workflow/transition",
    permission: "pages.update",
    summary: "Move a page to another status; to and from published needs pages.publish",
    // `to` is a status.
    paths: ({ body }) => [body.path],
    responses: workflowApi["POST /workflow/transition"].responses,
    body: { as: "json", limit: 16_384, schema: workflowApi["POST /workflow/transition"].body },
    handler: async (req, res, { body, identity }) => {
      const path = contentPath(body.path);
      const entry = content.generation().bySource.get(path);
      if (entry === undefined) throw notFound();
      const from = readStatus(entry);
      const { to } = body;
      assertTransition(from, to);
      const patch = content.releasePatch(entry.frontmatter, to);
      const options = { ...writeOptions(identity), message: `${from} → ${to}` };
      const change = fieldsChange(path, patch, entry.hash);
      const [result] = await content.apply([change], options);
      if (result !== undefined && checked(result).status === "error") {
        throw new HttpError(409, "the page was changed in the meantime", {
          code: "ERR_ADMIN_CONFLICT",
        });
      }
      const target = { type: "page", id: path };
      note(context, req, { event: "page.workflow", actor: identity, target, detail: { from, to } });
      await site.http.json(req, res, { transitioned: true, sourcePath: path, from, to });
    },
  });
}

function assertTransition(from: ReturnType<typeof readStatus>, to: typeof from): void {
  const allowed = allowedTransitions(from);
  if (allowed.includes(to)) return;
  const message = `a page cannot change from ${from} to ${to}; allowed: ${allowed.join(", ")}`;
  throw new HttpError(400, message, { code: "ERR_ADMIN_TRANSITION" });
}
type Action = z.infer<typeof action>;

/** A scheduled change of a page. */
interface Scheduled {
  sourcePath: string;
  title: string;
  action: Action;
  /** ISO 8601, UTC. */
  scheduledAt: string;
}

/**
 * Scheduled publishing: `publish_date` and `unpublish_date` are stored in the page's front matter,
 * so the schedule moves with the page and survives restarts.
 */
export function scheduleRoutes(context: AdminContext): void {
  const { admin, site } = context;
  const content = site.use("content");
  const copies = new WorkingCopyStore(site.use("records"));
  admin.route({
    method: "get",
    path: "/workflow/scheduled",
    permission: "pages.read",
    summary: "Scheduled changes of all pages, the next one first",
    paths: "own",
    responses: workflowApi["GET /workflow/scheduled"].responses,
    handler: async (req, res, { identity }) => {
      const seen = content
        .generation()
        .entries.filter(({ sourcePath }) => mayAt(identity, "pages.read", sourcePath));
      const pages = seen.flatMap((entry) => scheduledFor(context, entry));
      const changes = (await copies.list()).flatMap((copy) => plannedChange(identity, copy));
      const items = [...pages.map((one) => ({ ...one, problem: null })), ...changes];
      const sorted = items
        .toSorted((a, b) => a.scheduledAt.localeCompare(b.scheduledAt))
        .map((one) => ({ ...one, ...lacksOf(identity, one.sourcePath) }));
      return site.http.json(req, res, { items: sorted, total: items.length });
    },
  });
  admin.route({
    method: "get",
    path: "/workflow/scheduled/*path",
    permission: "pages.read",
    summary: "Scheduled changes of a page",
    responses: workflowApi["GET /workflow/scheduled/*path"].responses,
    handler: (req, res, { params }) => {
      const items = scheduledFor(context, findPage(context, params["path"]));
      return site.http.json(req, res, { items, total: items.length });
    },
  });
  addScheduling(context);
}

/** Planned changes of a live page, as the list of schedules has them. */
function plannedChange(identity: AdminIdentity, copy: WorkingCopy) {
  const { path, title, plan } = copy;
  if (plan === null || !mayAt(identity, "pages.read", path)) return [];
  const scheduledAt = new Date(plan.at).toISOString();
  const problem = planProblem(copy);
  return [{ sourcePath: path, title, action: "changes" as const, scheduledAt, problem }];
}

/** Routes that create and remove a schedule. */
function addScheduling(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "post",
    path: "/workflow/schedule",
    permission: "pages.publish",
    summary: "Publish or unpublish a page at a future time",
    responses: workflowApi["POST /workflow/schedule"].responses,
    body: { as: "json", limit: 16_384, schema: workflowApi["POST /workflow/schedule"].body },
    handler: async (req, res, { body, identity }) => {
      const { sourcePath } = await schedulePage(context, { req, identity }, body);
      const scheduledAt = new Date(body.scheduledAt).toISOString();
      const answer = { sourcePath, action: body.action, scheduledAt };
      await site.http.json(req, res, answer, { status: 201 });
    },
  });
  addDrop(context);
}

/** A time at which a page is published or withdrawn. */
type Schedule = z.infer<(typeof workflowApi)["POST /workflow/schedule"]["body"]>;

/**
 * Plans that a page is published or withdrawn.
 * @throws HttpError 404, ERR_ADMIN_SCHEDULE (400) for a time that does not fit, 409 when the page has changed.
 */
export async function schedulePage(
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  schedule: Schedule,
): Promise<PageEntry> {
  const entry = findPage(context, schedule.path);
  const patch = planPatch(context, entry, schedule);
  await save(context, { entry, identity, patch, message: `schedule: ${schedule.action}` });
  const scheduledAt = new Date(schedule.scheduledAt).toISOString();
  const detail = { action: schedule.action, scheduledAt };
  const target = { type: "page", id: entry.sourcePath };
  note(context, req, { event: "page.schedule", actor: identity, target, detail });
  return entry;
}

function addDrop(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "delete",
    path: "/workflow/schedule/*path",
    permission: "pages.publish",
    summary:
      "Remove a scheduled change (?action=publish|unpublish); a page not yet published becomes a draft",
    responses: workflowApi["DELETE /workflow/schedule/*path"].responses,
    query: workflowApi["DELETE /workflow/schedule/*path"].query,
    handler: async (req, res, { params, query, identity }) => {
      const entry = findPage(context, params["path"]);
      const isPlanned = scheduledFor(context, entry).some((one) => one.action === query.action);
      if (!isPlanned) throw notFound(`this page has no scheduled ${query.action}`);
      const patch =
        query.action === "publish"
          ? {
              ...site.use("content").unschedulePatch(entry.frontmatter, "publish_date"),
              ...site.use("content").releasePatch(entry.frontmatter, "draft"),
              ...parseDate(context, entry, null),
            }
          : site.use("content").unschedulePatch(entry.frontmatter, "unpublish_date");
      await save(context, { entry, identity, patch, message: `schedule: no ${query.action}` });
      const target = { type: "page", id: entry.sourcePath };
      const detail = { action: query.action, dropped: true };
      note(context, req, { event: "page.schedule", actor: identity, target, detail });
      await site.http.json(req, res, { dropped: true, sourcePath: entry.sourcePath });
    },
  });
}

function findPage({ site }: AdminContext, path = ""): PageEntry {
  const entry = site.use("content").generation().bySource.get(contentPath(path));
  if (entry === undefined) throw notFound();
  return entry;
}

/** Only pages with status published are scheduled; dates of a draft have no effect. */
function scheduledFor({ site }: AdminContext, entry: PageEntry): Scheduled[] {
  const now = site.runtime.clock.now();
  const { sourcePath, title, publishAt, unpublishAt } = entry;
  if (!site.use("content").isPublished(entry)) return [];
  const moments = [
    ["publish", publishAt],
    ["unpublish", unpublishAt],
  ] as const;
  return moments.flatMap(([kind, at]) =>
    at === null || at <= now
      ? []
      : [{ sourcePath, title, action: kind, scheduledAt: new Date(at).toISOString() }],
  );
}

/**
 * The front matter of a schedule.
 * @throws ERR_ADMIN_SCHEDULE (400).
 */
function planPatch(
  context: AdminContext,
  entry: PageEntry,
  { action: kind, scheduledAt }: Schedule,
): Record<string, unknown> {
  const now = context.site.runtime.clock.now();
  if (scheduledAt <= now) throw refused("scheduledAt is in the past: use a future time");
  const at = new Date(scheduledAt).toISOString();
  if (kind === "unpublish") {
    assertMayGo(entry, scheduledAt);
    return { unpublish_date: at };
  }
  assertMayCome(context, entry, scheduledAt);
  const date = parseDate(context, entry, scheduledAt);
  return {
    ...context.site.use("content").releasePatch(entry.frontmatter, "published"),
    publish_date: at,
    ...date,
  };
}

/** Moves the date that a schedule wrote to the new time `at`; null removes it. A date that a person wrote stays. */
function parseDate(
  { site }: AdminContext,
  { template, publishAt, frontmatter }: PageEntry,
  at: number | null,
): { date?: string | null } {
  const { blueprints } = site.use("content");
  const planned = publishAt === null ? null : blueprints.dateAt(template, publishAt);
  const isPlanned = publishAt !== null && publishAt > site.runtime.clock.now();
  if (planned === null || !isPlanned || frontmatter["date"] !== planned) return {};
  return { date: at === null ? null : blueprints.dateAt(template, at) };
}

function assertMayGo(entry: PageEntry, at: number): void {
  const status = readStatus(entry);
  if (status !== "published") throw refused(`the page is ${status}: publish it first`);
  if (entry.publishAt === null || at > entry.publishAt) return;
  throw refused("the page would be unpublished before it is published: use a later time");
}

function assertMayCome({ site }: AdminContext, entry: PageEntry, at: number): void {
  const { unpublishAt } = entry;
  const status = readStatus(entry);
  if (unpublishAt !== null && at >= unpublishAt) {
    throw refused(
      "the page would be published after it is unpublished: remove or move its unpublish first",
    );
  }
  if (status === "published") {
    const isOut = site.use("content").isReleased(entry, site.runtime.clock.now());
    if (isOut) throw refused("the page is published already");
  } else if (!allowedTransitions(status).includes("published")) {
    throw refused(`a page cannot change from ${status} to published`);
  }
}

/** A change of the front matter of a page. */
interface FieldsChange {
  readonly entry: PageEntry;
  /** The author. */
  readonly identity: AdminIdentity;
  readonly patch: Record<string, unknown>;
  /** The message in the history. */
  readonly message: string;
}

async function save(
  { site }: AdminContext,
  { entry, identity, patch, message }: FieldsChange,
): Promise<void> {
  const change = fieldsChange(entry.sourcePath, patch, entry.hash);
  const options = { ...writeOptions(identity), message };
  const [result] = await site.use("content").apply([change], options);
  if (result === undefined || checked(result).status !== "error") return;
  throw new HttpError(409, "the page was changed in the meantime", { code: "ERR_ADMIN_CONFLICT" });
}

function refused(message: string): HttpError {
  return new HttpError(400, message, { code: "ERR_ADMIN_SCHEDULE" });
}
