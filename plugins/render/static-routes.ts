import { realpathSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { sep } from "node:path";
import type { Request, Response } from "express";
import {
  type Answer,
  type Handler,
  HttpError,
  type RouteHandler,
  safeJoin,
  type SiteContext,
} from "#kernel";
import { realInside } from "#lib/files";
import { mediaType, type Asset } from "./theme/assets.js";
import { DOCUMENT_STYLE, DOCUMENT_STYLE_PATH } from "./page/render-html.js";
import { MOMENT_STYLE, MOMENT_STYLE_PATH } from "./moment-pages.js";
import { ICONS, type IconName } from "./reading/icons.js";
import { branchAnswer } from "./reading/sidebar-answer.js";
import { BRANCHES } from "./reading/sidebar-branches.js";
import { CARDS } from "./reading/social-cards.js";
import type { RenderContext } from "./page/render-context.js";

const FOREVER = "public, max-age=31536000, immutable";
const AN_HOUR = "public, max-age=3600, must-revalidate";
/** Larger files are streamed from disk, with ranges. */
const LARGEST_IN_MEMORY = 4 * 1024 * 1024;
const STATIC_PREFIX = "/static/";
// A file that can run scripts gets an opaque origin when it is opened as a page.
const SANDBOX = "sandbox allow-scripts allow-popups";

/**
 * Registers the routes of theme assets, the site's `static/` folder, icons and the built-in style.
 */
export function declareStaticRoutes(context: RenderContext): void {
  const { site } = context;
  const get = (path: string, summary: string, handler: RouteHandler) =>
    site.http.route({ method: "get", path, summary, hidden: true, handler });
  get("/themes/:theme/static/*path", "A theme's file", (req, res) => {
    const { theme, path } = parsePath(req);
    const asset = theme === null || path === null ? null : context.theme().assets.get(theme, path);
    if (asset === null) throw new HttpError(404, "not found");
    site.http.send(req, res, assetAnswer(asset, req));
  });
  site.http.use("routes", siteFiles(site));
  site.extensions.add("routeClaims", (path) => (isSiteFile(site, path) ? "/static/*path" : null));
  for (const icon of ["favicon.svg", ...Object.keys(ICONS)]) {
    get(`/${icon}`, "The site's icon", (req, res) => sendIcon(context, { req, res, path: icon }));
  }
  get(`${CARDS}/*path`, "The preview picture of a page", async (req, res) =>
    site.http.send(req, res, await context.reading.cards.answer(req)),
  );
  get(`${BRANCHES}/:lang/:file`, "Entries of the sidebar", (req, res) =>
    site.http.send(req, res, branchAnswer(context, req)),
  );
  get(DOCUMENT_STYLE_PATH, "The built-in look", sendStyle(site, DOCUMENT_STYLE));
  get(MOMENT_STYLE_PATH, "The look of the notice of a moment", sendStyle(site, MOMENT_STYLE));
}

function sendStyle({ http }: SiteContext, body: string): RouteHandler {
  const type = "text/css; charset=utf-8";
  return (req, res) => {
    const headers = { "Cache-Control": req.ctx.search === "" ? AN_HOUR : FOREVER };
    http.send(req, res, { type, body, headers, cache: { tags: new Set(["config"]) } });
  };
}

function assetAnswer(asset: Asset, req: Request): Answer {
  const isExact = new URLSearchParams(req.ctx.search).get("v") === asset.hash;
  return {
    type: asset.type,
    body: asset.body,
    headers: { "Cache-Control": isExact ? FOREVER : AN_HOUR, ...sandboxHeaders(asset.type) },
    cache: { tags: new Set(["theme"]) },
  };
}

async function sendIcon(context: RenderContext, request: FileRequest): Promise<void> {
  const file = await siteFile(context.site, request.path);
  if (file !== null) return sendSiteFile(context.site, request);
  const asset = context.theme().assets.nearest(request.path);
  if (asset === null) return sendMadeIcon(context, request);
  // Not cached: the site may get its own icon at any time.
  const { cache: _cache, ...answer } = assetAnswer(asset, request.req);
  context.site.http.send(request.req, request.res, answer);
}

/** An icon made from the one image that the site or its theme has. */
async function sendMadeIcon(
  { site, theme, reading }: RenderContext,
  { req, res, path }: FileRequest,
): Promise<void> {
  const name = isIconName(path) ? path : null;
  const siteIcon = (await siteFile(site, "favicon.svg")) ?? (await siteFile(site, "favicon.png"));
  const image =
    siteIcon === null ? theme().assets.nearest("favicon.svg")?.body : await readFile(siteIcon);
  if (name === null || image === undefined) throw new HttpError(404, "not found");
  site.http.send(req, res, {
    type: mediaType(name),
    body: await reading.icons.get(name, image).catch((error: unknown) => {
      site.log.warn("render.icon_invalid", { icon: name, error: String(error) });
      throw new HttpError(404, "not found");
    }),
    headers: { "Cache-Control": AN_HOUR },
  });
}

function isIconName(path: string): path is IconName {
  return Object.hasOwn(ICONS, path);
}

/** Files of the site's `static/` folder. Pages may use addresses below it that are not files. */
function siteFiles(site: SiteContext): Handler {
  return async (req, res, next) => {
    const { path } = req.ctx;
    if (!path.startsWith(STATIC_PREFIX) || !isRead(req)) return next();
    const name = path.slice(STATIC_PREFIX.length);
    // File names cannot contain an encoded slash.
    const isPlain = !/%2f|%5c/i.test(req.url.split("?", 1)[0] ?? "");
    const file = isPlain ? await siteFile(site, name) : null;
    if (file === null) return next();
    await sendSiteFile(site, { req, res, path: name });
  };
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

interface FileRequest {
  req: Request;
  res: Response;
  /** Below `static/`. */
  path: string;
}

async function sendSiteFile(site: SiteContext, { req, res, path }: FileRequest): Promise<void> {
  const file = await siteFile(site, path);
  if (file === null) throw new HttpError(404, "not found");
  const type = mediaType(path);
  const headers = {
    "Cache-Control": site.runtime.env.mode === "dev" ? "no-cache" : AN_HOUR,
    "X-Content-Type-Options": "nosniff",
    ...sandboxHeaders(type),
  };
  const { size } = await stat(file);
  if (size <= LARGEST_IN_MEMORY) {
    site.http.send(req, res, { type, body: await readFile(file), headers });
    return;
  }
  // With the limits of downloads: a few files are read at a time.
  const root = `${site.paths.root}/static`;
  const media = site.use("media", { optional: true });
  const isSent = await media?.sendFile(req, res, { root, file, type, headers });
  if (isSent === true) return;
  if (isSent === false) throw new HttpError(404, "not found");
  res.set({ ...headers, "Content-Type": type });
  // Dotfiles and outside links were rejected above; the site root's own path may contain dots.
  res.sendFile(file, { cacheControl: false, dotfiles: "allow" });
}

/**
 * Absolute path of a file below `static/`; null for dotfiles, folders, outside links and missing
 * files.
 */
async function siteFile(site: SiteContext, path: string): Promise<string | null> {
  if (!isPublicPath(path)) return null;
  const root = `${site.paths.root}/static`;
  const joined = safeJoin(root, path);
  const file = joined === null ? null : await realInside(root, joined);
  if (file === null) return null;
  const stats = await stat(file);
  return stats.isFile() ? file : null;
}

/** True when `siteFiles` answers the path. */
function isSiteFile({ paths }: SiteContext, path: string): boolean {
  if (!path.startsWith(STATIC_PREFIX)) return false;
  const name = path.slice(STATIC_PREFIX.length);
  const joined = isPublicPath(name) ? safeJoin(`${paths.root}/static`, name) : null;
  if (joined === null) return false;
  try {
    const file = realpathSync(joined);
    return file.startsWith(realpathSync(`${paths.root}/static`) + sep) && statSync(file).isFile();
  } catch {
    // No such file.
    return false;
  }
}

function isPublicPath(path: string): boolean {
  return !path.split("/").some((segment) => segment.startsWith(".") || segment === "");
}

function parsePath(req: Request): { theme: string | null; path: string | null } {
  const params: Record<string, unknown> = req.params;
  const { theme, path } = params;
  const segments = Array.isArray(path) ? path.map(String) : [];
  // File names cannot contain an encoded slash.
  const isPlain = segments.length > 0 && !segments.some((segment) => /[/\\\0]/.test(segment));
  return {
    theme: typeof theme === "string" ? theme : null,
    path: isPlain ? segments.join("/") : null,
  };
}

function sandboxHeaders(type: string): Record<string, string> {
  return /svg|html|xml/.test(type) ? { "Content-Security-Policy": SANDBOX } : {};
}
