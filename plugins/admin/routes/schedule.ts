import { z } from "zod";
import { HttpError } from "#kernel";
import type { PageEntry } from "../../content/contract.js";
import type { AdminIdentity } from "../contract.js";
import { contentPath } from "../page-source.js";
import { checked } from "../save-page.js";
import { allowedTransitions, statusOf, transitionPatch } from "../workflow.js";
import { answers } from "./answers.js";
import { note, notFound, writeOptions, type RouteParts } from "./route-parts.js";

const action = z.enum(["publish", "unpublish"]);
const scheduleBody = z.object({
  path: z.string().min(1).max(1024),
  action,
  scheduledAt: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .describe("Moment with its offset: 2026-06-01T08:00:00+02:00"),
});
const actionQuery = z.object({ action });
type Action = z.infer<typeof action>;

/** What is planned for a page. */
interface Planned {
  sourcePath: string;
  title: string;
  action: Action;
  /** ISO 8601, UTC. */
  scheduledAt: string;
}

/**
 * Pages that appear or disappear at a moment: `publish_date` and `unpublish_date` of their front
 * matter, so that the plan goes with the page and outlives any restart.
 */
export function scheduleRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  const content = site.use("content");
  admin.route({
    method: "get",
    path: "/workflow/scheduled",
    permission: "pages.read",
    summary: "What is planned for all pages, the next first",
    responses: answers.scheduled,
    handler: (req, res) => {
      const items = content.generation().entries.flatMap((entry) => plannedFor(parts, entry));
      const sorted = items.toSorted((a, b) => a.scheduledAt.localeCompare(b.scheduledAt));
      return site.http.json(req, res, { items: sorted, total: items.length });
    },
  });
  admin.route({
    method: "get",
    path: "/workflow/scheduled/*path",
    permission: "pages.read",
    summary: "What is planned for a page",
    responses: answers.scheduled,
    handler: (req, res, { params }) => {
      const items = plannedFor(parts, pageAt(parts, params["path"]));
      return site.http.json(req, res, { items, total: items.length });
    },
  });
  addPlanning(parts);
}

/** The routes that make a plan and drop it. */
function addPlanning(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "post",
    path: "/workflow/schedule",
    permission: "pages.publish",
    summary: "Publish or unpublish a page at a moment to come",
    responses: answers.schedule,
    body: { as: "json", limit: 16_384, schema: scheduleBody },
    handler: async (req, res, { body, identity }) => {
      const entry = pageAt(parts, body.path);
      const patch = planPatch(parts, entry, body);
      await save(parts, { entry, identity, patch, message: `schedule: ${body.action}` });
      const { sourcePath } = entry;
      const scheduledAt = new Date(body.scheduledAt).toISOString();
      const detail = { action: body.action, scheduledAt };
      const target = { type: "page", id: sourcePath };
      note(parts, req, { event: "page.schedule", actor: identity, target, detail });
      await site.http.json(req, res, { sourcePath, ...detail }, { status: 201 });
    },
  });
  addDrop(parts);
}

function addDrop(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "delete",
    path: "/workflow/schedule/*path",
    permission: "pages.publish",
    summary:
      "Drop what is planned (?action=publish|unpublish); a page not yet out is a draft again",
    responses: answers.unschedule,
    query: actionQuery,
    handler: async (req, res, { params, query, identity }) => {
      const entry = pageAt(parts, params["path"]);
      const isPlanned = plannedFor(parts, entry).some((one) => one.action === query.action);
      if (!isPlanned) throw notFound(`nothing is planned for this page: ${query.action}`);
      const patch =
        query.action === "publish"
          ? { publish_date: null, ...transitionPatch(entry, "draft") }
          : { unpublish_date: null };
      await save(parts, { entry, identity, patch, message: `schedule: no ${query.action}` });
      const target = { type: "page", id: entry.sourcePath };
      const detail = { action: query.action, dropped: true };
      note(parts, req, { event: "page.schedule", actor: identity, target, detail });
      await site.http.json(req, res, { dropped: true, sourcePath: entry.sourcePath });
    },
  });
}

function pageAt({ site }: RouteParts, path = ""): PageEntry {
  const entry = site.use("content").generation().bySource.get(contentPath(path));
  if (entry === undefined) throw notFound();
  return entry;
}

/** Only a released page appears by itself: the dates of a draft are plans of nobody. */
function plannedFor({ site }: RouteParts, entry: PageEntry): Planned[] {
  const now = site.clock.now();
  const { sourcePath, title, publishAt, unpublishAt, published } = entry;
  if (!published || statusOf(entry) !== "published") return [];
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

/** The front matter of a plan. @throws ERR_ADMIN_SCHEDULE (400). */
function planPatch(
  { site }: RouteParts,
  entry: PageEntry,
  { action: kind, scheduledAt }: z.infer<typeof scheduleBody>,
): Record<string, unknown> {
  const now = site.clock.now();
  if (scheduledAt <= now) throw refused("scheduledAt is over: give a moment to come");
  const at = new Date(scheduledAt).toISOString();
  if (kind === "unpublish") {
    assertMayGo(entry, scheduledAt);
    return { unpublish_date: at };
  }
  assertMayCome(entry, { at: scheduledAt, now });
  return { ...transitionPatch(entry, "published"), publish_date: at };
}

function assertMayGo(entry: PageEntry, at: number): void {
  const status = statusOf(entry);
  if (status !== "published") throw refused(`the page is ${status}: publish it first`);
  if (entry.publishAt === null || at > entry.publishAt) return;
  throw refused("the page would go before it comes: give a later moment");
}

function assertMayCome(entry: PageEntry, { at, now }: { at: number; now: number }): void {
  const { publishAt, unpublishAt } = entry;
  const status = statusOf(entry);
  if (unpublishAt !== null && at >= unpublishAt) {
    throw refused("the page would come after it has gone: drop or move its unpublish first");
  }
  if (status === "published") {
    const isOut = publishAt === null || publishAt <= now;
    if (isOut) throw refused("the page is published already");
  } else if (!allowedTransitions(status).includes("published")) {
    throw refused(`a page cannot go from ${status} to published`);
  }
}

async function save(
  { site }: RouteParts,
  what: {
    entry: PageEntry;
    identity: AdminIdentity;
    patch: Record<string, unknown>;
    message: string;
  },
): Promise<void> {
  const { entry, identity, patch, message } = what;
  const change = { op: "frontmatter", path: entry.sourcePath, patch, ifHash: entry.hash } as const;
  const options = { ...writeOptions(identity), message };
  const [result] = await site.use("content").apply([change], options);
  if (result === undefined || checked(result).status !== "error") return;
  throw new HttpError(409, "the page has changed meanwhile", { code: "ERR_ADMIN_CONFLICT" });
}

function refused(message: string): HttpError {
  return new HttpError(400, message, { code: "ERR_ADMIN_SCHEDULE" });
}
