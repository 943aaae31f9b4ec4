import { HttpError } from "#kernel";
import { BatchApplier, isDevMode } from "../../dev-apply/apply-batch.js";
import { batchBody, BATCH_BYTES } from "../../dev-apply/changes.js";
import { contentPath } from "../../write/page-source.js";
import {
  assertAllFields,
  note,
  writeOptions,
  type AdminContext,
  notFound,
  selected,
} from "../admin-context.js";
import { sendSource } from "./pages.js";
import { pagesApi } from "../../schemas/pages.js";
import { systemApi } from "../../schemas/system.js";

/** Maximum size in bytes of Markdown; the JSON around it may be larger. */
const MARKDOWN_BYTES = 512 * 1024;

/** Routes for authoring tools: page-source, render-markdown, dev/apply. */
export function editingRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/page-source",
    permission: "pages.read",
    summary: "Source of a page by path below the content folder, or by route",
    paths: ({ query }) => [query.path ?? findSourcePath(context, query.route ?? "")],
    responses: pagesApi["GET /page-source"].responses,
    query: pagesApi["GET /page-source"].query,
    handler: (req, res, { query }) =>
      sendSource(context, { req, res }, query.path ?? findSourcePath(context, query.route ?? "")),
  });
  admin.route({
    method: "post",
    path: "/render-markdown",
    permission: "pages.read",
    summary: "Markdown to HTML through the whole pipeline, and to plain text",
    paths: ({ body }) => (body.path === undefined ? [] : [body.path]),
    responses: pagesApi["POST /render-markdown"].responses,
    body: { as: "json", limit: MARKDOWN_BYTES, schema: pagesApi["POST /render-markdown"].body },
    handler: async (req, res, { body }) => {
      const content = site.use("content");
      const base = content.generation().bySource.get(contentPath(body.path ?? ""));
      const source = body.markdown ?? body.content ?? "";
      const markdown = site.use("markdown");
      const html = await markdown.renderText(source, base);
      await site.http.json(req, res, { html, text: markdown.plainText(source) });
    },
  });
  addDevApply(context);
}

/** Decided at startup: the mode does not change later. */
function addDevApply(context: AdminContext): void {
  const { admin, site } = context;
  const isDev = isDevMode(site);
  const applier = new BatchApplier(site);
  admin.route({
    method: "post",
    path: "/dev/apply",
    permission: "pages.update",
    summary:
      "Apply a batch of changes, each independently; in dev mode or with system.debug (404 otherwise)",
    responses: systemApi["POST /dev/apply"].responses,
    body: { as: "json", limit: BATCH_BYTES, schema: batchBody },
    handler: async (req, res, { body, identity }) => {
      if (!isDev)
        throw new HttpError(404, "dev/apply is available in dev mode, or with system.debug");
      assertAllFields(identity);
      const dryRun = body.dry_run;
      const { permissions } = identity;
      const results = await applier.apply({
        dryRun,
        changes: body.changes,
        permissions,
        identity,
        ...writeOptions(identity),
      });
      const errors = results.filter(({ status }) => status === "error").length;
      const summary = { total: results.length, valid: results.length - errors, errors };
      const detail = {
        ...summary,
        changes: results
          .slice(0, 50)
          .map(({ op, path, key, spec, status }) => ({ op, name: path ?? key ?? spec, status })),
      };
      if (!dryRun) note(context, req, { event: "dev.apply", actor: identity, detail });
      await site.http.json(req, res, { dry_run: dryRun, results, summary });
    },
  });
}

/** The source path of a route, or of an address with its language; empty when there is no page. */
function findSourcePath({ site }: AdminContext, route: string): string {
  const lang = site.settings.system.languages.default;
  const match = site.use("content").viewAll().resolve(route);
  if (match.kind === "page") return match.entry.sourcePath;
  const clean = route.length > 1 ? route.replace(/\/$/, "") : route;
  const address = clean.startsWith("/") ? clean : `/${clean}`;
  return site.use("content").generation().at(address, lang)?.sourcePath ?? "";
}

/** The languages of a page, and which are missing or outdated. */
export function translationRoutes({ admin, site }: AdminContext): void {
  admin.route({
    method: "get",
    path: "/translations/*path",
    permission: "pages.read",
    summary: "A page in every language of the site, with what is missing or outdated",
    responses: pagesApi["GET /translations/*path"].responses,
    handler: (req, res, { params }) => {
      const check = selected(site.use("check", { optional: true }), "check");
      const translations = check.translations(contentPath(params["path"] ?? ""));
      if (translations === null) throw notFound();
      return site.http.json(req, res, translations);
    },
  });
}
