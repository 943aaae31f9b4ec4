import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import { previewRights } from "../../accounts/write-rights.js";
import type { AdminIdentity } from "../../contract.js";
import { PREVIEW_PATH } from "../../admin-headers.js";
import { previewAnswer, renderPreview } from "../../preview/render-preview.js";
import { contentPath, notContent } from "../../write/page-source.js";
import type { ThemeTrial } from "../../../render/contract.js";
import { refusal } from "../../refusals.js";
import { assertMay, selected, type RouteParts } from "../route-parts.js";
import { THEME_FILES } from "../settings/themes.js";

/** Maximum size in bytes of a request: a page, enlarged by escapes. */
const PREVIEW_BYTES = 16 * 1_048_576;
const previewBody = z.object({
  path: z.string().min(1).max(1024).describe("Below the content folder"),
  content: z.string(),
  theme: z
    .string()
    .max(262_144)
    .optional()
    .describe("JSON with preset, custom and name: a theme and settings that are not saved"),
});
const trialShape = z.object({
  name: z.string().max(200).optional(),
  preset: z.enum(["docs", "blog", "site"]),
  custom: z.record(z.string(), z.unknown()),
});
type PreviewBody = z.infer<typeof previewBody>;

const text = z.string();
const error = z.object({ error: text });
const answers = {
  200: z.object({
    html: text,
    title: text,
    url: text,
    warnings: z.array(z.object({ field: text, message: text })),
  }),
  404: error,
  409: error,
  413: error,
  422: error,
};

/** Pages with text that is not saved: as JSON, and as a document for a frame. */
export function previewRoutes(parts: RouteParts): void {
  const { admin, identities, site } = parts;
  admin.route({
    method: "post",
    path: "/preview",
    permission: "pages.read",
    summary: "HTML of a page with text that is not saved, in the theme of the site",
    responses: answers,
    body: { as: "json", limit: PREVIEW_BYTES, schema: previewBody },
    handler: async (req, res, { body, identity }) => {
      const { entry, html, warnings } = await preview(parts, { req, identity }, body);
      const { title, url } = entry;
      await site.http.json(req, res, { html, title, url, warnings });
    },
  });
  admin.panel({
    method: "post",
    path: PREVIEW_PATH,
    permission: "pages.read",
    summary: "The same as a document: send a form with path, content and _csrf to a frame",
    body: { as: "form", limit: PREVIEW_BYTES, schema: previewBody },
    handler: async (req: Request, res: Response, { body }) => {
      const identity = identities.of(req);
      if (identity === null) throw new HttpError(401, "sign in first");
      site.http.send(req, res, previewAnswer(await preview(parts, { req, identity }, body)));
    },
  });
}

async function preview(
  parts: RouteParts,
  { req, identity }: { req: Request; identity: AdminIdentity },
  { path: given, content, theme }: PreviewBody,
) {
  const { site } = parts;
  const path = contentPath(given);
  if (!site.use("content").isPage(path)) throw new HttpError(400, notContent(path));
  const trial = theme === undefined ? undefined : await trialOf(parts, identity, theme);
  return renderPreview(site, req, { path, content, trial, rights: previewRights(identity) });
}

/**
 * What the preview tries. Another theme needs config.update: its templates run.
 * @throws HttpError 400, 403 without the right to the settings, 422 for a theme that cannot be used.
 */
async function trialOf(
  parts: RouteParts,
  identity: AdminIdentity,
  text: string,
): Promise<ThemeTrial> {
  assertMay(identity, "config.read");
  const parsed = trialShape.safeParse(parsedJson(text));
  if (!parsed.success) {
    const message =
      "theme: expected JSON with preset (docs, blog, site), custom (a map), and an optional name";
    throw new HttpError(400, message);
  }
  const { name, ...settings } = parsed.data;
  const render = selected(parts.site.use("render", { optional: true }), "render");
  if (name === undefined || name === render.theme) return settings;
  assertMay(identity, "config.update");
  const theme = (await render.installed()).find((one) => one.name === name);
  if (theme === undefined || theme.problem !== null) {
    const why = theme?.problem ?? "it is not installed";
    const message = `theme ${JSON.stringify(name)} cannot be shown: ${why}`;
    throw refusal(422, "ERR_ADMIN_PREVIEW", { message });
  }
  return { ...settings, other: { name, assetBase: parts.admin.path + THEME_FILES } };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
