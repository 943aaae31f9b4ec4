import type { HookStat, Caches, CacheExplanation } from "#kernel";
import type { z } from "zod";
import type { Request, Response } from "express";
import type {} from "../../../forms/contract.js";
import { note, selected, type AdminContext } from "../admin-context.js";
import {
  systemApi,
  type cacheExplanation,
  type cacheOfPath,
  type cacheSpaces,
} from "../../schemas/system.js";
import { mayAt } from "../../accounts/rights.js";
import { ADMIN_HEADERS } from "../../admin-headers.js";
import { EventHub } from "../../event-hub.js";
import { contentPath } from "../../write/page-source.js";

/** The answer of a site without the plugin search. */
const NO_SEARCHES = { totalSearches: 0, topQueries: [], zeroResultQueries: [] };

/** Site information and state: introspect, plugins, search analytics, deliveries, audit log. */
export function systemRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/introspect",
    permission: "any",
    summary: "Counts of pages, plugins with their hooks, theme, forms, public config",
    responses: systemApi["GET /introspect"].responses,
    handler: (req, res) => site.http.json(req, res, introspect(context)),
  });
  admin.route({
    method: "get",
    path: "/plugins",
    permission: "plugins.manage",
    summary: "Every plugin with its state and hook statistics",
    responses: systemApi["GET /plugins"].responses,
    handler: (req, res) => {
      const items = plugins(context);
      return site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "get",
    path: "/search/analytics",
    permission: "pages.read",
    summary: "Search analytics",
    responses: systemApi["GET /search/analytics"].responses,
    handler: async (req, res) => {
      const summary = await site.use("search", { optional: true })?.analytics();
      await site.http.json(req, res, summary ?? NO_SEARCHES);
    },
  });
  admin.route({
    method: "get",
    path: "/audit",
    permission: "users.manage",
    summary: "The audit log, newest first",
    responses: systemApi["GET /audit"].responses,
    query: systemApi["GET /audit"].query,
    handler: async (req, res, { query }) =>
      site.http.json(req, res, await context.audit.list(query)),
  });
  addDeliveries(context);
}

function addDeliveries(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/webhooks/deliveries",
    permission: "pages.read",
    summary: "The 50 most recent webhook deliveries of the last 7 days",
    responses: systemApi["GET /webhooks/deliveries"].responses,
    handler: async (req, res) => {
      const webhooks = site.use("webhooks", { optional: true });
      const recent = await webhooks?.deliveries({ days: 7, limit: 50 });
      await site.http.json(req, res, recent ?? { items: [], total: 0 });
    },
  });
  admin.route({
    method: "post",
    path: "/webhooks/deliveries/:id/redeliver",
    permission: "config.update",
    summary: "Send a delivery again as a new delivery",
    responses: systemApi["POST /webhooks/deliveries/:id/redeliver"].responses,
    handler: async (req, res, { params, identity }) => {
      const id = params["id"] ?? "";
      const webhooks = selected(site.use("webhooks", { optional: true }), "webhooks");
      const delivery = await webhooks.redeliver(id);
      note(context, req, {
        event: "webhook.redeliver",
        actor: identity,
        target: { type: "delivery", id },
      });
      await site.http.json(req, res, delivery, { status: 202 });
    },
  });
}

/** Response of `GET {admin.path}/api/introspect`: exactly these fields. */
export function introspect({ site }: Pick<AdminContext, "site">) {
  const content = site.use("content");
  const { entries } = content.generation();
  const published = entries.filter((entry) => content.isPublished(entry)).length;
  const render = site.use("render", { optional: true });
  const { title, url } = site.settings.site;
  const stats = site.hooks.stats();
  const problems = site.use("health", { optional: true })?.problems() ?? [];
  return {
    pages: {
      total: entries.length,
      published,
      drafts: entries.length - published,
    },
    plugins: site.runtime.plugins().map(({ name, version, hooks, state, error }) => ({
      name,
      version,
      hooks,
      state,
      ...(error !== null && { error }),
      ...openHooks(stats, name),
      ...problems.filter(({ part }) => part === name).map(({ problem }) => ({ problem }))[0],
    })),
    theme: { name: render?.theme ?? "", templates: render?.templates() ?? [] },
    forms: listForms(site),
    config: { title, url },
  };
}

/** Without the plugin, the site has no forms. */
function listForms(site: AdminContext["site"]): { name: string; enabled: boolean }[] {
  const names = site.use("forms", { optional: true })?.names() ?? [];
  return names.map((name) => ({ name, enabled: true }));
}

/** Hooks of a plugin that are disabled because they fail. */
function openHooks(stats: readonly HookStat[], name: string): { failingHooks?: string[] } {
  const open = stats.filter(({ plugin, open: isOpen }) => plugin === name && isOpen);
  return open.length === 0 ? {} : { failingHooks: open.map(({ hook }) => hook) };
}

function plugins({ site }: AdminContext) {
  const stats = site.hooks.stats();
  return site.runtime.plugins().map((plugin) => ({
    ...plugin,
    stats: stats
      .filter((stat) => stat.plugin === plugin.name)
      .map(({ hook, calls, errors, totalMs, maxMs, open, lastError }) => ({
        hook,
        calls,
        errors,
        totalMs,
        maxMs,
        open,
        lastError,
      })),
  }));
}

const BODY_BYTES = 16_384;

/** The endpoints of webhooks, and `POST {admin.path}/api/webhooks/{id}/replay`. */
export function replayRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/webhooks",
    permission: "config.read",
    summary: "The endpoints of webhooks, without their secrets",
    responses: systemApi["GET /webhooks"].responses,
    handler: async (req, res) => {
      selected(site.use("webhooks", { optional: true }), "webhooks");
      const { webhooks } = site.settings.admin;
      const items = webhooks.map(({ label = "", url, events, enabled }, at) => ({
        id: String(at),
        label,
        url,
        events,
        enabled,
      }));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "post",
    path: "/webhooks/:id/replay",
    permission: "config.update",
    summary: "Send the events since a cursor to an endpoint (label or index) again",
    body: { as: "json", limit: BODY_BYTES, schema: systemApi["POST /webhooks/:id/replay"].body },
    responses: systemApi["POST /webhooks/:id/replay"].responses,
    handler: async (req, res, { params, identity, body: { since, dryRun } }) => {
      const id = params["id"] ?? "";
      const webhooks = selected(site.use("webhooks", { optional: true }), "webhooks");
      const result = await webhooks.replay(id, { since, isDryRun: dryRun });
      if (!dryRun) {
        const target = { type: "webhook", id };
        const details = { since, cursor: result.cursor, events: result.events };
        note(context, req, { event: "webhook.replay", actor: identity, target, detail: details });
      }
      await site.http.json(req, res, result, { status: dryRun ? 200 : 202 });
    },
  });
}

/** Lists the spaces of the cache, or explains one address. */
export function cacheRoutes({ admin, site }: AdminContext): void {
  admin.route({
    method: "get",
    path: "/cache",
    permission: "config.read",
    summary:
      "What is cached: entries, bytes and hit rate; with `path`, why an address is or is not",
    responses: systemApi["GET /cache"].responses,
    query: systemApi["GET /cache"].query,
    handler: (req, res, { query: { path } }) =>
      site.http.json(
        req,
        res,
        path === undefined ? listSpaces(site.cache) : explain(site.cache, path),
      ),
  });
}

function listSpaces(caches: Caches): z.infer<typeof cacheSpaces> {
  const items = Object.entries(caches.stats()).map(([name, stats]) => ({ name, ...stats }));
  const sum = (field: "entries" | "bytes"): number =>
    items.reduce((total, item) => total + item[field], 0);
  return { items, total: items.length, entries: sum("entries"), bytes: sum("bytes") };
}

/** Keys are addresses as browsers send them. */
function explain(caches: Caches, path: string): z.infer<typeof cacheOfPath> {
  const keys = new Set([path, encodeURI(path.toWellFormed())]);
  const items = [...keys].flatMap((key) => caches.explain(key)).map(toItem);
  const cached = items.some(({ state }) => state === "cached");
  return { path, cached, items, total: items.length };
}

function toItem({
  tags,
  dropped: drop,
  ...rest
}: CacheExplanation): z.infer<typeof cacheExplanation> {
  return { ...rest, tags: tags.toSorted(), dropped: drop };
}

const BEAT_MS = 25_000;

/** Changes of pages and presence, as server-sent events. */
export function eventRoutes({ admin, site }: AdminContext): void {
  const { changes, lifecycle, runtime } = site;
  const hub = new EventHub(changes, runtime.clock, site.use("content"));
  admin.route({
    method: "get",
    path: "/events",
    permission: "pages.read",
    paths: "own",
    summary: "Server-sent events: saved, published, deleted, presence; Last-Event-ID resumes",
    responses: systemApi["GET /events"].responses,
    query: systemApi["GET /events"].query,
    handler: (req, res, { identity, query }) => {
      hub.assertRoom(identity.id);
      open(req, res);
      const sees = (path: string): boolean => mayAt(identity, "pages.read", path);
      const last = readLastId(req) ?? query.since;
      res.once("close", hub.add({ userId: identity.id, sees, stream: res }, last));
      if (lifecycle.signal.aborted) hub.close();
    },
  });
  admin.route({
    method: "post",
    path: "/events/presence",
    permission: "pages.read",
    paths: ({ body }) => (body.path === null ? [] : [body.path]),
    summary: "Say which page is open; repeat it within a minute",
    responses: systemApi["POST /events/presence"].responses,
    body: { as: "json", limit: 16_384, schema: systemApi["POST /events/presence"].body },
    handler: (req, res, { body, identity }) => {
      const { id, name } = identity;
      const path = body.path === null ? null : contentPath(body.path);
      return site.http.json(req, res, { people: hub.setPresent({ id, name }, path) });
    },
  });
  lifecycle.onListen(() => {
    const timer = setInterval(() => hub.beat(), BEAT_MS);
    timer.unref();
    lifecycle.onClose(() => clearInterval(timer));
  });
  // Closing waits for open requests, and a stream would never end by itself.
  lifecycle.signal.addEventListener("abort", () => hub.close(), { once: true });
}

function open(req: Request, res: Response): void {
  const { ctx } = req;
  res.writeHead(200, {
    ...ctx.responseHeaders,
    ...ADMIN_HEADERS,
    "Content-Type": "text/event-stream; charset=utf-8",
    "X-Accel-Buffering": "no",
  });
}

function readLastId({ headers }: Request): string | undefined {
  const header = headers["last-event-id"];
  return typeof header === "string" ? header.slice(0, 100) : undefined;
}
