import type { Request } from "express";
import { HttpError, type Handler, type SiteContext } from "#kernel";
import type { WriteRights } from "../../../content/contract.js";
import { assertAt, mayAt, linkRights, previewRights } from "../../accounts/rights.js";
import { WorkingCopyStore } from "../../working-copies/working-copy-store.js";
import { PreviewLinks, type PreviewLink } from "../../working-copies/preview-links.js";
import { assertShown, toMoment, isOfMoment, mountMoments } from "./moment-requests.js";
import { copyRoute } from "./copy-route.js";
import { assertMaySee, previewAnswer, renderPreview } from "./preview.js";
import type { RouteTable } from "../../route-table.js";
import { contentPath } from "../../write/page-source.js";
import { assertMay, note, notFound, type AdminContext } from "../admin-context.js";
import { workflowApi } from "../../schemas/workflow.js";

const PUBLIC_PATH = "/_site/preview";
const COOKIE = "site_preview";
const MEDIA = "/content-media/";
const PRIVATE = { "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow" };

/** Links that show unpublished pages, and the site at a moment, to people without an account. */
export function previewLinkRoutes(context: AdminContext, table: RouteTable): void {
  const { admin, site } = context;
  const store = site.use("records");
  const links = new PreviewLinks(store, site.runtime.clock);
  const workingCopies = new WorkingCopyStore(store);
  admin.route({
    method: "get",
    path: "/preview-links",
    permission: "pages.read",
    paths: "own",
    summary: "Preview links without their addresses, the latest first",
    responses: workflowApi["GET /preview-links"].responses,
    handler: async (req, res, { identity }) => {
      const all = await links.list();
      const seen = all.filter(({ path }) => mayAt(identity, "pages.read", path));
      const items = seen.map(shown);
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  copyRoute(context, {
    method: "post",
    path: "/preview-links",
    permission: "pages.update",
    pathOf: ({ body }) => body.path,
    summary:
      "Create a link that shows a page with its working copy, or the site at a moment, to people without an account",
    responses: workflowApi["POST /preview-links"].responses,
    body: { as: "json", limit: 16_384, schema: workflowApi["POST /preview-links"].body },
    handler: async (req, res, { body, identity }) => {
      const path = contentPath(body.path);
      const { at, rev } = body;
      const rights = previewRights(identity);
      const runsCode = rights.refuse("code", path, null) === null;
      if (at !== null || rev !== null) await assertShown(site, identity, { path, at, rev });
      else await assertPreview(context, workingCopies, path, rights);
      const { id, name } = identity;
      const shows = { path, at, rev, runsCode };
      const created = await links.create(shows, body.expiresIn * 1_000, { id, name });
      const target = { type: "page", id: path };
      note(context, req, { event: "preview_link.create", actor: identity, target });
      const url = `${site.settings.site.url.replace(/\/$/, "")}${PUBLIC_PATH}/${created.token}`;
      await site.http.json(req, res, { ...shown(created.link), url }, { status: 201 });
    },
  });
  admin.route({
    method: "delete",
    path: "/preview-links/:id",
    permission: "pages.update",
    paths: "own",
    summary: "Revoke a preview link: one's own, or with pages.publish any",
    responses: workflowApi["DELETE /preview-links/:id"].responses,
    handler: async (req, res, { params, identity: sender }) => {
      const id = params["id"] ?? "";
      const link = await links.get(id);
      if (link === null) throw notFound();
      const identity = assertAt(sender, "pages.update", [link.path]);
      if (link.createdBy.id !== identity.id) assertMay(identity, "pages.publish");
      await links.revoke(id);
      const target = { type: "page", id: link.path };
      note(context, req, { event: "preview_link.revoke", actor: identity, target });
      await site.http.json(req, res, { revoked: true, id });
    },
  });
  addPublicRoutes(context, { links, workingCopies, table });
}

/** @throws HttpError 403 for code without the right to it, 404 for a missing page, 422 for one that runs from its file. */
async function assertPreview(
  context: AdminContext,
  workingCopies: WorkingCopyStore,
  path: string,
  rights: WriteRights,
): Promise<void> {
  const text = await readText(context, workingCopies, path);
  if (text === null) throw notFound();
  await assertMaySee(context.site, { path, content: text, rights });
  if (path.endsWith(".tsx")) throw new HttpError(422, "tsx pages have no preview");
}

/** A link as its creator sees it. */
function shown({ runsCode: _, ...link }: PreviewLink): Omit<PreviewLink, "runsCode"> {
  return link;
}

interface Links {
  links: PreviewLinks;
  workingCopies: WorkingCopyStore;
  table: RouteTable;
}

/** The page behind a link, and its media. */
function addPublicRoutes(context: AdminContext, { links, workingCopies, table }: Links): void {
  const { site, identities } = context;
  mountMoments({ site, identities, table, links });
  site.http.route({
    method: "get",
    path: `${PUBLIC_PATH}/:token`,
    summary: "The page of a preview link",
    hidden: true,
    handler: async (req, res, { params }) => {
      const token = params["token"] ?? "";
      const link = await links.find(token);
      if (link !== null && isOfMoment(link)) {
        return site.http.send(req, res, await toMoment(site, link, token));
      }
      const content = link === null ? null : await readText(context, workingCopies, link.path);
      if (link === null || content === null) throw notFound();
      const { path, runsCode } = link;
      const rights = linkRights(runsCode);
      const answer = previewAnswer(await renderPreview(site, req, { path, content, rights }));
      const headers = {
        ...answer.headers,
        ...PRIVATE,
        "Set-Cookie": formatCookie(context, link, token),
      };
      return site.http.send(req, res, { ...answer, headers });
    },
  });
  site.http.use("routes", mediaOfLinks(site, links));
}

/** The page's own media are visible with the cookie that its link has set; those of pages below are not. */
function mediaOfLinks(site: SiteContext, links: PreviewLinks): Handler {
  return async (req, _res, next) => {
    const token = req.ctx.path.startsWith(MEDIA) ? readToken(req) : null;
    if (token === null) return next();
    const link = await links.find(token);
    const isOwn =
      link !== null &&
      !isOfMoment(link) &&
      (await isMediumOf(site, link.path, req.ctx.path.slice(MEDIA.length)));
    if (isOwn) {
      const roles = req.ctx.state.viewer?.roles ?? null;
      req.ctx.state.viewer = { roles, seesUnpublished: true };
    }
    return next();
  };
}

/** True when a file below the content folder belongs to a page in this language or another one. */
async function isMediumOf(site: SiteContext, sourcePath: string, file: string): Promise<boolean> {
  const content = site.use("content");
  const at = file.lastIndexOf("/");
  const page = content.generation().bySource.get(sourcePath);
  const medium = await content.mediaFile(file.slice(0, Math.max(0, at)), file.slice(at + 1));
  const owner = medium?.entry ?? null;
  if (page === undefined || owner === null || owner.folder !== page.folder) return false;
  // The pages of one folder share its files; those of a gated page stay with it.
  return owner.route === page.route || owner.roles === null;
}

function readToken({ headers }: Request): string | null {
  return /(?:^|;\s*)site_preview=([\w-]{20,100})/.exec(headers.cookie ?? "")?.[1] ?? null;
}

function formatCookie({ site }: AdminContext, { expiresAt }: PreviewLink, token: string): string {
  const seconds = Math.floor((expiresAt - site.runtime.clock.now()) / 1_000);
  const secure = site.settings.site.url.startsWith("https:") ? "; Secure" : "";
  return `${COOKIE}=${token}; Path=${MEDIA}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The working copy, else the page as it is; null without either. */
async function readText(
  { site }: AdminContext,
  workingCopies: WorkingCopyStore,
  path: string,
): Promise<string | null> {
  const workingCopy = await workingCopies.get(path);
  return workingCopy?.content ?? (await site.use("content").source(path))?.raw ?? null;
}
