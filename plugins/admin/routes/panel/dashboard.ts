import { mayAt } from "../../accounts/rights.js";
import { h } from "preact";
import type { Request, Response } from "express";
import type { SiteContext } from "#kernel";
import type { InternalContext } from "#kernel/internal";
import type { Permission } from "../../contract.js";
import type { RouteTable } from "../../route-table.js";
import { Dashboard } from "../../templates/dashboard.js";
import { statusOf } from "../../write/page-source.js";
import { frameOf, htmlAnswer, menuOf } from "../panel.js";
import { codeOf, note, notFound, selected, type RouteParts } from "../route-parts.js";
import { deliveries, introspect, noSearches, searchSummary } from "../system/system.js";

/** The dashboard's own path below `{admin.path}`. */
export const OVERVIEW = "/overview";

/** Responds with the dashboard, limited to what the identity may see. */
export async function dashboard(
  parts: RouteParts,
  { req, res, table }: { req: Request; res: Response; table: RouteTable },
): Promise<void> {
  const { admin, site } = parts;
  const identity = admin.identity(req);
  if (identity === null) throw notFound();
  const may = (permission: Permission): boolean => identity.permissions.has(permission);
  const mayRead = mayAt(identity, "pages.read", null);
  const { pages, plugins, theme } = introspect(parts);
  const menu = menuOf(table, identity, req.ctx.path);
  const none = { items: [], total: 0 };
  const props = {
    frame: frameOf(site, { path: admin.path, title: "Dashboard", identity, menu }),
    notice: noticeOf(req),
    pages,
    plugins,
    theme: theme.name,
    search: mayRead ? await searchSummary(parts) : noSearches,
    deliveries: mayRead ? await deliveries(parts) : none,
    mayRedeliver: may("config.update"),
    problems: mayRead ? contentProblems(site) : [],
    recent: mayRead ? recentPages(site) : [],
  };
  site.http.send(req, res, htmlAnswer(h(Dashboard, props)));
}

/** Sends a delivery again and redirects to the dashboard. */
export async function redeliver(
  parts: RouteParts,
  { req, res, id }: { req: Request; res: Response; id: string },
): Promise<void> {
  const { admin, site } = parts;
  const identity = admin.identity(req);
  if (identity === null) throw notFound();
  const said = await selected(site.use("webhooks", { optional: true }), "webhooks")
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
  const ctx: InternalContext = req.ctx;
  const headers = { ...ctx.responseHeaders, "Cache-Control": "private, no-store" };
  res.writeHead(303, { ...headers, Location: `${admin.path}${OVERVIEW}?notice=${said}` });
  res.end();
}

/** Texts of `?notice=`; other values are ignored. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ["sent", "The delivery was sent again."],
  ["gone", "The endpoint of this delivery was removed or disabled."],
]);

function noticeOf(req: Request): string | null {
  return NOTICES.get(new URLSearchParams(req.ctx.search).get("notice") ?? "") ?? null;
}

function contentProblems(site: SiteContext) {
  const content = site.use("content");
  return content.problems().map(({ sourcePath, line, code: _code, isInRoot, ...problem }) => {
    const file = isInRoot ? sourcePath : content.addresses.fromRoot(sourcePath);
    return { ...problem, place: line === undefined ? file : `${file}:${line}` };
  });
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
