import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { h, type VNode } from "preact";
import type { Request, Response } from "express";
import { z } from "zod";
import { renderToString } from "preact-render-to-string";
import type { Answer, SiteContext } from "#kernel";
import { runningFile, sha256 } from "#kernel/internal";
import { mailerOf } from "../accounts/account-mail.js";
import { oidcLink } from "../accounts/panel-oidc.js";
import { documentPolicy, IMMUTABLE } from "../admin-headers.js";
import type { AdminDocument, AdminIdentity, AdminPage } from "../contract.js";
import type { RouteTable } from "../route-table.js";
import { Login } from "../templates/login.js";
import { PluginPage, type FrameProps } from "../templates/frame.js";
import { notFound, type RouteParts } from "./route-parts.js";
import { dashboard, OVERVIEW, redeliver } from "./panel/dashboard.js";

/** Panel pages: login, dashboard, pages of plugins. They work without JavaScript. */
export function panelRoutes(parts: RouteParts, table: RouteTable): void {
  const { admin, site } = parts;
  const assets = [
    { asset: panelStyle, type: "text/css", summary: "The panel's style sheet" },
    { asset: passkeyScript, type: "text/javascript", summary: "Signs in with a passkey" },
  ];
  for (const { asset, type, summary } of assets) {
    admin.panel({
      method: "get",
      path: `/assets/${asset.name}`,
      permission: "none",
      summary,
      handler: (req, res) => sendAsset(site, { req, res, asset, type }),
    });
  }
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
    summary: "Dashboard, or the application that replaces it",
    handler: (req, res) =>
      table.document === null
        ? dashboard(parts, { req, res, table })
        : showDocument(parts, { req, res, table, document: table.document }),
  });
  admin.panel({
    method: "get",
    path: OVERVIEW,
    permission: "any",
    summary: "Dashboard without JavaScript",
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

/** The login page; `error` is the reason of the last failure. */
export async function loginPage(
  { site, admin }: Pick<RouteParts, "site" | "admin">,
  req: Request,
  { error, next, step }: { error: string | null; next: string; step?: string | undefined },
): Promise<Answer> {
  const frame = frameOf(site, { path: admin.path, title: "Sign in", identity: null, menu: [] });
  const hasPasskeys = site.use("passkeys").obstacle === null;
  const passkeyUrl = hasPasskeys ? `${admin.path}/assets/${passkeyScript.name}` : null;
  const canReset = mailerOf(site) !== null;
  const oidc = oidcLink(site, admin.path, next);
  const keepsCookie = site.use("session").keepsCookie(req);
  return htmlAnswer(
    h(Login, { frame, next, error, keepsCookie, step: step ?? null, canReset, oidc, passkeyUrl }),
  );
}

/** Responds with the application in the browser. */
export async function showDocument(
  { admin, site }: Pick<RouteParts, "admin" | "site">,
  {
    req,
    res,
    table,
    document,
  }: { req: Request; res: Response; table: RouteTable; document: AdminDocument },
): Promise<void> {
  const identity = admin.identity(req);
  if (identity === null) throw notFound();
  const nonce = randomBytes(16).toString("base64url");
  const body = await document.render({ identity, req, nonce });
  table.policies.set(req, documentPolicy(nonce));
  site.http.send(req, res, {
    type: "text/html; charset=utf-8",
    body,
    cache: { private: true },
  });
}

/** Responds with a plugin's page. */
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

function sendAsset(
  site: SiteContext,
  { req, res, asset, type }: { req: Request; res: Response; asset: PanelAsset; type: string },
): void {
  site.http.send(req, res, {
    type: `${type}; charset=utf-8`,
    body: asset.text,
    headers: IMMUTABLE,
  });
}

// The frame of the panel's pages.

/** The pages that the identity may see; `current` is marked. */
export function menuOf(
  table: RouteTable,
  identity: AdminIdentity,
  current: string,
): FrameProps["menu"] {
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

/** Properties of a page's frame; `identity` is null before login. */
export function frameOf(
  site: SiteContext,
  shown: Pick<FrameProps, "path" | "title" | "menu"> & { identity: AdminIdentity | null },
): Omit<FrameProps, "children"> {
  const { path, title, menu, identity } = shown;
  return {
    path,
    title,
    menu,
    siteTitle: site.settings.site.title,
    siteUrl: "/",
    styleUrl: `${path}/assets/${panelStyle.name}`,
    user:
      identity === null
        ? null
        : { name: identity.name, email: identity.email, csrfToken: identity.csrfToken },
  };
}

/** Renders a panel page as a response. */
export function htmlAnswer<P>(page: VNode<P>): Answer {
  const body = `<!doctype html>${renderToString(page)}`;
  return { type: "text/html; charset=utf-8", body, cache: { private: true } };
}

/** A file of the panel, named by its digest. */
interface PanelAsset {
  /** `admin.1a2b3c4d5e.css` */
  name: string;
  text: string;
}

/** The style sheet. Read once: each page names it. */
export const panelStyle = asset("admin", "css");

/** The script of the login page that signs in with passkeys. */
export const passkeyScript = asset("passkey-login", "js");

function asset(name: string, extension: string): PanelAsset {
  const text = readFileSync(runningFile(`plugins/admin/assets/${name}.${extension}`), "utf8");
  const hash = sha256(text).slice(0, 10);
  return { name: `${name}.${hash}.${extension}`, text };
}
