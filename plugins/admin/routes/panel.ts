import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { h, type VNode } from "preact";
import type { Request } from "express";
import { renderToString } from "preact-render-to-string";
import { withoutSlash, type Answer, type SiteContext } from "#kernel";
import { runningFile } from "#lib/packages";
import { sha256 } from "#lib/secrets";
import { findMailer } from "../accounts/account-mail.js";
import { oidcLink } from "../accounts/panel-oidc.js";
import { documentPolicy, IMMUTABLE } from "../admin-headers.js";
import type { AdminDocument, AdminIdentity, AdminPage } from "../contract.js";
import type { RouteTable } from "../route-table.js";
import { Login } from "../templates/login.js";
import { PluginPage, type FrameProps } from "../templates/frame.js";
import {
  notFound,
  type Exchange,
  type IdentifiedExchange,
  type AdminContext,
} from "./admin-context.js";

/** Pages of the panel that need no JavaScript: the login, pages of plugins, and the panel itself until an application replaces it. */
export function panelRoutes(context: AdminContext, table: RouteTable): void {
  const { admin, site } = context;
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
      handler: (req, res) =>
        site.http.send(req, res, {
          type: `${type}; charset=utf-8`,
          body: asset.text,
          headers: IMMUTABLE,
        }),
    });
  }
  admin.panel({
    method: "get",
    path: "/login",
    permission: "none",
    summary: "Login page",
    handler: async (req, res) => {
      const next = new URLSearchParams(req.ctx.search).get("next") ?? "";
      site.http.send(req, res, await loginPage(context, req, { error: null, next }));
    },
  });
  admin.panel({
    method: "get",
    path: "",
    permission: "any",
    summary: "The panel",
    handler: (req, res) =>
      table.document === null
        ? showEmptyPanel(context, table, { req, res })
        : showDocument(context, table, { req, res }, table.document),
  });
  admin.panel({
    method: "get",
    path: "/",
    permission: "any",
    summary: "The panel's address with a trailing slash",
    handler: (req, res) => site.http.send(req, res, withoutSlash(req)),
  });
}

/** State of the login page. */
export interface LoginState {
  /** Why the last login failed; null before the first. */
  readonly error: string | null;
  /** The page that opens after the login, as the address names it. */
  readonly next: string;
  /** The sealed login whose password was right: the page asks for a code. */
  readonly step?: string | undefined;
  /** The name that was entered before; default: none. */
  readonly username?: string;
}

/** The login page. */
export async function loginPage(
  { site, admin }: Pick<AdminContext, "site" | "admin">,
  req: Request,
  { error, next, step, username = "" }: LoginState,
): Promise<Answer> {
  const frame = buildFrame(site, "Sign in", null);
  const hasPasskeys = site.use("passkeys").obstacle === null;
  const passkeyUrl = hasPasskeys ? `${admin.path}/assets/${passkeyScript.name}` : null;
  const canReset = findMailer(site) !== null;
  const oidc = oidcLink(site, admin.path, next);
  const keepsCookie = site.use("session").keepsCookie(req);
  return htmlAnswer(
    h(Login, {
      frame,
      next,
      error,
      keepsCookie,
      username,
      step: step ?? null,
      canReset,
      oidc,
      passkeyUrl,
    }),
  );
}

/** Responds with the application in the browser. */
export async function showDocument(
  { admin, site }: Pick<AdminContext, "admin" | "site">,
  table: RouteTable,
  { req, res }: Exchange,
  document: AdminDocument,
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
  table: RouteTable,
  { req, res, identity }: IdentifiedExchange,
  page: AdminPage,
): Promise<void> {
  const content = await page.render({ identity, req });
  const frame = buildFrame(site, page.label, identity, buildMenu(table, identity, req.ctx.path));
  site.http.send(req, res, htmlAnswer(h(PluginPage, { frame, content })));
}

/** Responds with a page that leads to the pages of plugins, on a site without an application for the browser. */
function showEmptyPanel(
  { admin, site }: AdminContext,
  table: RouteTable,
  { req, res }: Exchange,
): void {
  const identity = admin.identity(req);
  if (identity === null) throw notFound();
  const frame = buildFrame(site, "Panel", identity, buildMenu(table, identity, req.ctx.path));
  const text =
    "The panel needs JavaScript and the plugin panel: add panel to plugins in site.yaml.";
  site.http.send(req, res, htmlAnswer(h(PluginPage, { frame, content: h("p", null, text) })));
}

/** The pages that the identity may see; the one at the path `current` is marked. */
function buildMenu(
  { path, pages }: RouteTable,
  { permissions }: AdminIdentity,
  current: string,
): FrameProps["menu"] {
  const allowed = pages
    .filter(({ permission }) => permission === "any" || permissions.has(permission))
    .map((page) => ({ href: path + page.path, label: page.label }));
  return [{ href: path, label: "Panel" }, ...allowed].map(({ href, label }) => ({
    href,
    label,
    isCurrent: current === href,
  }));
}

/** Properties of a page's frame; `identity` is null before login. */
export function buildFrame(
  site: SiteContext,
  title: string,
  identity: AdminIdentity | null,
  menu: FrameProps["menu"] = [],
): FrameProps {
  const { path } = site.settings.admin;
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
