import { z } from "zod";
import { HttpError } from "#kernel";
import { BatchApplier, isDevMode } from "../../dev-apply/apply-batch.js";
import { batchBody, BATCH_BYTES } from "../../dev-apply/changes.js";
import { contentPath } from "../../write/page-source.js";
import { answers } from "../answers.js";
import {
  assertAllFields,
  note,
  writeOptions,
  type RouteParts,
  notFound,
  selected,
} from "../route-parts.js";
import { sendSource } from "./pages.js";

/** Maximum size in bytes of Markdown; the JSON around it may be larger. */
const MARKDOWN_BYTES = 512 * 1024;

const sourceQuery = z
  .object({ path: z.string().max(1024).optional(), route: z.string().max(1024).optional() })
  .refine(({ path, route }) => (path ?? route ?? "") !== "", { error: "path is missing" });
const markdownBody = z
  .object({
    markdown: z.string().optional(),
    content: z.string().optional(),
    path: z.string().max(1024).optional().describe("Page whose context is used for rendering"),
  })
  .refine(({ markdown, content }) => markdown !== undefined || content !== undefined, {
    error: "markdown is missing",
  });

/** Routes for authoring tools: page-source, render-markdown, dev/apply. */
export function editingRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "get",
    path: "/page-source",
    permission: "pages.read",
    summary: "Source of a page by path below the content folder, or by route",
    paths: ({ query }) => [query.path ?? pathAt(parts, query.route ?? "")],
    responses: answers.pageSource,
    query: sourceQuery,
    handler: (req, res, { query }) =>
      sendSource(parts, { req, res }, query.path ?? pathAt(parts, query.route ?? "")),
  });
  admin.route({
    method: "post",
    path: "/render-markdown",
    permission: "pages.read",
    summary: "Markdown to HTML through the whole pipeline",
    paths: ({ body }) => (body.path === undefined ? [] : [body.path]),
    responses: answers.renderMarkdown,
    body: { as: "json", limit: MARKDOWN_BYTES, schema: markdownBody },
    handler: async (req, res, { body }) => {
      const content = site.use("content");
      const base = content.generation().bySource.get(contentPath(body.path ?? ""));
      const text = body.markdown ?? body.content ?? "";
      await site.http.json(req, res, { html: await site.use("markdown").renderText(text, base) });
    },
  });
  addDevApply(parts);
}

/** Decided at startup: the mode does not change later. */
function addDevApply(parts: RouteParts): void {
  const { admin, site } = parts;
  const isDev = isDevMode(site);
  const applier = new BatchApplier(site);
  admin.route({
    method: "post",
    path: "/dev/apply",
    permission: "pages.update",
    summary:
      "Apply a batch of changes, each independently; in dev mode or with system.debug (404 otherwise)",
    responses: answers.devApply,
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
      if (!dryRun) note(parts, req, { event: "dev.apply", actor: identity, detail });
      await site.http.json(req, res, { dry_run: dryRun, results, summary });
    },
  });
}

/** The source path of a route, or of an address with its language; empty when there is no page. */
function pathAt({ site }: RouteParts, route: string): string {
  const lang = site.settings.system.languages.default;
  const match = site.use("content").viewAll().resolve(route);
  if (match.kind === "page") return match.entry.sourcePath;
  const clean = route.length > 1 ? route.replace(/\/$/, "") : route;
  const address = clean.startsWith("/") ? clean : `/${clean}`;
  return site.use("content").generation().at(address, lang)?.sourcePath ?? "";
}

const text = z.string();
const error = z.object({ error: text });
const translationAnswers = {
  200: z.object({
    lang: text.describe("Language of the page"),
    stamp: text
      .nullable()
      .describe("`translated_from` of translations of the current original; null without one"),
    items: z.array(
      z.object({
        lang: text,
        state: z.enum(["original", "translated", "outdated", "missing"]),
        sourcePath: text.describe("Where its file is, or would be"),
        title: text.nullable(),
        status: text.nullable(),
      }),
    ),
  }),
  404: error,
};

/** The languages of a page, and which are missing or outdated. */
export function translationRoutes({ admin, site }: RouteParts): void {
  admin.route({
    method: "get",
    path: "/translations/*path",
    permission: "pages.read",
    summary: "A page in every language of the site, with what is missing or outdated",
    responses: translationAnswers,
    handler: (req, res, { params }) => {
      const check = selected(site.use("check", { optional: true }), "check");
      const found = check.translations(contentPath(params["path"] ?? ""));
      if (found === null) throw notFound();
      return site.http.json(req, res, found);
    },
  });
}
