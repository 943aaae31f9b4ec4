import type { Request, Response } from "express";
import { z } from "zod";
import { rewriteHtml } from "#lib/html";
import { parseJson } from "#lib/values";
import { HttpError, type Answer, type SiteContext } from "#kernel";
import { previewRights } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import { PREVIEW_PATH } from "../../admin-headers.js";
import { contentPath, notContent } from "../../write/page-source.js";
import type { ThemeTrial, RenderService } from "../../../render/contract.js";
import { refusal } from "../../errors.js";
import {
  assertMay,
  selected,
  type AdminContext,
  type IdentifiedRequest,
} from "../admin-context.js";
import { THEME_FILES } from "../settings/settings.js";
import type { FieldViolation, PageEntry, WriteRights } from "../../../content/contract.js";
import { allowed, checked } from "../../write/save-page.js";
import { workflowApi } from "../../schemas/workflow.js";

/** Maximum size in bytes of a request: a page, enlarged by escapes. */
const PREVIEW_BYTES = 16 * 1_048_576;
const trialShape = z.object({
  name: z.string().max(200).optional(),
  preset: z.enum(["site", "docs", "blog", "portfolio"]),
  look: z.string().max(200).nullable().default(null),
  custom: z.record(z.string(), z.unknown()),
});
type PreviewBody = z.infer<(typeof workflowApi)["POST /preview"]["body"]>;

/** Pages with text that is not saved: as JSON, and as a document for a frame. */
export function previewRoutes(context: AdminContext): void {
  const { admin, identities, site } = context;
  admin.route({
    method: "post",
    path: "/preview",
    permission: "pages.read",
    summary: "HTML of a page with text that is not saved, in the theme of the site",
    responses: workflowApi["POST /preview"].responses,
    body: { as: "json", limit: PREVIEW_BYTES, schema: workflowApi["POST /preview"].body },
    handler: async (req, res, { body, identity }) => {
      const { entry, html, warnings } = await preview(context, { req, identity }, body);
      const { title, url } = entry;
      await site.http.json(req, res, { html, title, url, warnings });
    },
  });
  admin.panel({
    method: "post",
    path: PREVIEW_PATH,
    permission: "pages.read",
    summary: "The same as a document: send a form with path, content and _csrf to a frame",
    body: { as: "form", limit: PREVIEW_BYTES, schema: workflowApi["POST /preview"].body },
    handler: async (req: Request, res: Response, { body }) => {
      const identity = identities.of(req);
      if (identity === null) throw new HttpError(401, "sign in first");
      const shown = await preview(context, { req, identity }, body);
      site.http.send(req, res, previewAnswer({ ...shown, html: withoutScripts(shown.html) }));
    },
  });
}

/** The document without its scripts: none runs in the frame, and browsers would report each. */
function withoutScripts(html: string): string {
  return rewriteHtml(html, { address: () => null, drops: () => true });
}

async function preview(
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  { path: given, content, theme }: PreviewBody,
) {
  const { site } = context;
  const path = contentPath(given);
  if (!site.use("content").isPage(path)) throw new HttpError(400, notContent(path));
  const trial = theme === undefined ? undefined : await prepareTrial(context, identity, theme);
  return renderPreview(site, req, { path, content, trial, rights: previewRights(identity) });
}

/**
 * What the preview tries. Another theme needs config.update: its templates run.
 * @throws HttpError 400, 403 without the right to the settings, 422 for a theme that cannot be used.
 */
async function prepareTrial(
  context: AdminContext,
  identity: AdminIdentity,
  text: string,
): Promise<ThemeTrial> {
  assertMay(identity, "config.read");
  const parsed = trialShape.safeParse(parseJson(text));
  if (!parsed.success) {
    const message =
      "theme: expected JSON with preset (docs, blog, site, portfolio), custom (a map), and an optional look and name";
    throw new HttpError(400, message);
  }
  const { name, ...settings } = parsed.data;
  const render = selected(context.site.use("render", { optional: true }), "render");
  if (name === undefined || name === render.theme) return settings;
  assertMay(identity, "config.update");
  const theme = (await render.installed()).find((one) => one.name === name);
  if (theme === undefined || theme.problem !== null) {
    const why = theme?.problem ?? "it is not installed";
    const message = `theme ${JSON.stringify(name)} cannot be shown: ${why}`;
    throw refusal(422, "ERR_ADMIN_PREVIEW", message);
  }
  return { ...settings, other: { name, assetBase: context.admin.path + THEME_FILES } };
}

/** Text of a page that is not saved. */
interface PreviewText {
  readonly path: string;
  readonly content: string;
  /** The rights of the person who sees it: code runs only with the right to it. */
  readonly rights: WriteRights;
  /** Settings of the theme that are not saved. */
  readonly trial?: ThemeTrial | undefined;
}
/** A rendered preview. */
interface Preview {
  readonly entry: PageEntry;
  readonly html: string;
  /** The fields that do not fit the page's blueprint. */
  readonly warnings: readonly FieldViolation[];
}

/**
 * Renders text that is not saved in the theme of the site, as visitors will see it once it is published.
 * @throws HttpError 400 for a path or a text that cannot be saved, 403 for code without the right to it, 422 for one that cannot be shown.
 */
export async function renderPreview(
  site: SiteContext,
  req: Parameters<RenderService["renderPage"]>[0],
  { path, content, rights, trial }: PreviewText,
): Promise<Preview> {
  const warnings = await collectWarnings(site, { path, content, rights });
  if (path.endsWith(".tsx")) throw notShown("tsx pages run from their file; save the page first");
  const render = site.use("render", { optional: true });
  if (render === undefined) throw notShown("previews need the plugin render");
  const { entry, view } = await site.use("content").preview({ path, text: content });
  const match = { kind: "page", entry, lang: entry.lang, pageNumber: 1 } as const;
  const options = { view, path: decodeURI(entry.url), ...(trial && { trial }) };
  const { body } = await render.renderPage(req, match, options);
  return { entry, html: body.toString(), warnings };
}

/** @throws HttpError 403 when the rights do not allow to see this text, or to run its code. */
export async function assertMaySee(
  site: SiteContext,
  { path, content, rights }: Pick<PreviewText, "path" | "content" | "rights">,
): Promise<void> {
  const change = { op: "write", path, content } as const;
  const options = { rights, dryRun: true, validate: false };
  for (const result of await site.use("content").apply([change], options)) allowed(result);
}

/** The response with a preview's HTML: private, never cached or indexed. */
export function previewAnswer({ html }: Preview): Answer {
  return {
    type: "text/html; charset=utf-8",
    body: html,
    headers: { "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "private, no-store" },
    cache: { private: true },
  };
}

/** @throws HttpError for what could not be saved, unless only the blueprint is against it. */
async function collectWarnings(
  site: SiteContext,
  { path, content, rights }: PreviewText,
): Promise<readonly FieldViolation[]> {
  const change = { op: "write", path, content } as const;
  const [result] = await site.use("content").apply([change], { rights, dryRun: true });
  if (result === undefined) return [];
  if (result.code === "ERR_CONTENT_INVALID") return result.validationErrors ?? [];
  checked(result);
  return [];
}

function notShown(message: string): Error {
  return refusal(422, "ERR_ADMIN_PREVIEW", message);
}
