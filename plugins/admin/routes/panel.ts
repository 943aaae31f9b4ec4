import { h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Request, Response } from "express";
import { z } from "zod";
import type { Answer, SiteContext } from "#kernel";
import type { AdminIdentity, AdminPage, Permission } from "../contract.js";
import { panelStyle, type PanelStyle } from "../panel-assets.js";
import type { RouteTable } from "../route-table.js";
import { Dashboard } from "../templates/dashboard.js";
import type { FrameProps } from "../templates/frame.js";
import { Login } from "../templates/login.js";
import { PluginPage } from "../templates/plugin-page.js";
import { statusOf } from "../workflow.js";
import { codeOf, note, notFound, selected, type RouteParts } from "./route-parts.js";
import { deliveries, introspect, searchSummary } from "./system.js";

const YEAR = 31_536_000;

/** Pages for people: sign in, dashboard, what plugins add. They work without JavaScript. */
export function panelRoutes(parts: RouteParts, table: RouteTable): void {
  const { admin, site } = parts;
  const style = panelStyle();
  admin.panel({
    method: "get",
    path: `/assets/${style.name}`,
    permission: "none",
    summary: "The panel's style",
    handler: (req, res) => sendStyle(site, { req, res, style }),
  });
  admin.panel({
    method: "get",
    path: "/login",
    permission: "none",
    summary: "Login page",
    handler: async (req, res) => {
      const next = new URLSearchParams(req.ctx.search).get("next") ?? "";
      site.http.send(req, res, await loginPage(parts, req, { error: null, next }));
    },
  });
  admin.panel({
    method: "get",
    path: "",
    permission: "any",
    summary: "Dashboard",
    handler: (req, res) => dashboard(parts, { req, res, table }),
  });
  admin.panel({
    method: "post",
    path: "/deliveries/:id/redeliver",
    permission: "config.update",
    summary: "Send a delivery again and show the dashboard",
    body: { as: "form", limit: 4_096, schema: z.looseObject({}) },
    handler: (req, res, { params }) => redeliver(parts, { req, res, id: params["id"] ?? "" }),
  });
}

/** The login page; `error` says why the last attempt failed. */
export async function loginPage(
  { site, admin }: Pick<RouteParts, "site" | "admin">,
  _req: Request,
  { error, next }: { error: string | null; next: string },
): Promise<Answer> {
  const frame = frameOf(site, { path: admin.path, title: "Sign in", identity: null, menu: [] });
  return htmlAnswer(h(Login, { frame, next, error }));
}

/** Answers with a plugin's page. */
export async function showPluginPage(
  site: SiteContext,
  {
    req,
    res,
    page,
    identity,
    table,
  }: { req: Request; res: Response; page: AdminPage; identity: AdminIdentity; table: RouteTable },
): Promise<void> {
  const content = await page.render({ identity, req });
  const menu = menuOf(table, identity, req.ctx.path);
  const frame = frameOf(site, { path: table.path, title: page.label, identity, menu });
  site.http.send(req, res, htmlAnswer(h(PluginPage, { frame, content })));
}

async function dashboard(
  parts: RouteParts,
  { req, res, table }: { req: Request; res: Response; table: RouteTable },
): Promise<void> {
  const { admin, site } = parts;
  const identity = admin.identity(req);
  if (identity === null) throw notFound();
  const may = (permission: Permission): boolean => identity.permissions.has(permission);
  const { pages, plugins, theme } = introspect(parts);
  const menu = menuOf(table, identity, req.ctx.path);
  const none = { items: [], total: 0 };
  const props = {
    frame: frameOf(site, { path: admin.path, title: "Dashboard", identity, menu }),
    notice: noticeOf(req),
    ...{ pages, plugins, theme: theme.name },
    search: await searchSummary(parts),
    deliveries: may("pages.read") ? await deliveries(parts) : none,
    mayRedeliver: may("config.update"),
    recent: may("pages.read") ? recentPages(site) : [],
  };
  site.http.send(req, res, htmlAnswer(h(Dashboard, props)));
}

async function redeliver(
  parts: RouteParts,
  { req, res, id }: { req: Request; res: Response; id: string },
): Promise<void> {
  const { admin, site } = parts;
  const identity = admin.identity(req);
  if (identity === null) throw notFound();
  const said = await selected(site.find("webhooks"), "webhooks")
    .redeliver(id)
    .then(
      () => "sent",
      (error: unknown) => {
        if (codeOf(error) === "ERR_WEBHOOK_ENDPOINT") return "gone";
        throw error;
      },
    );
  note(parts, req, {
    event: "webhook.redeliver",
    actor: identity,
    target: { type: "delivery", id },
  });
  const headers = { ...req.ctx.outgoing, "Cache-Control": "private, no-store" };
  res.writeHead(303, { ...headers, Location: `${admin.path}?notice=${said}` });
  res.end();
}

/** Texts of `?notice=`; nothing else can be made to stand on the page. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ["sent", "The delivery is on its way again."],
  ["gone", "The endpoint of this delivery is gone or switched off."],
]);

function noticeOf(req: Request): string | null {
  return NOTICES.get(new URLSearchParams(req.ctx.search).get("notice") ?? "") ?? null;
}

function recentPages(site: SiteContext) {
  const { entries } = site.use("content").generation();
  const visible = entries.filter(({ isModule }) => !isModule);
  return visible
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs)
    .slice(0, 8)
    .map((entry) => ({
      title: entry.title,
      route: entry.route,
      status: statusOf(entry),
      changed: new Date(entry.mtimeMs).toISOString(),
      url: entry.routable ? entry.url : null,
    }));
}

function menuOf(table: RouteTable, identity: AdminIdentity, current: string): FrameProps["menu"] {
  const { path, pages } = table;
  const own = [{ href: path, label: "Dashboard", isCurrent: current === path }];
  const allowed = pages.filter(
    ({ permission }) => permission === "any" || identity.permissions.has(permission),
  );
  return [
    ...own,
    ...allowed.map((page) => {
      const href = path + page.path;
      return { href, label: page.label, isCurrent: current === href };
    }),
  ];
}

function frameOf(
  site: SiteContext,
  shown: Pick<FrameProps, "path" | "title" | "menu"> & { identity: AdminIdentity | null },
): Omit<FrameProps, "children"> {
  const { path, title, menu, identity } = shown;
  return {
    ...{ path, title, menu },
    siteTitle: site.settings.site.title,
    siteUrl: "/",
    styleUrl: `${path}/assets/${panelStyle().name}`,
    user:
      identity === null
        ? null
        : { name: identity.name, email: identity.email, csrfToken: identity.csrfToken },
  };
}

function sendStyle(
  site: SiteContext,
  { req, res, style }: { req: Request; res: Response; style: PanelStyle },
): void {
  const headers = { "Cache-Control": `public, max-age=${YEAR}, immutable` };
  site.http.send(req, res, { type: "text/css; charset=utf-8", body: style.text, headers });
}

function htmlAnswer<P>(page: VNode<P>): Answer {
  const body = `<!doctype html>${renderToString(page)}`;
  return { type: "text/html; charset=utf-8", body, private: true };
}
