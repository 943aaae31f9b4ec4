import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import type { AdminIdentity } from "../contract.js";
import { PREVIEW_PATH } from "../admin-headers.js";
import { previewAnswer, renderPreview } from "../preview/render-preview.js";
import { contentPath, isCode, notContent } from "../write/page-source.js";
import { assertMay, type RouteParts } from "./route-parts.js";

/** Maximum size in bytes of a request: a page, enlarged by escapes. */
const PREVIEW_BYTES = 16 * 1_048_576;
const previewBody = z.object({
  path: z.string().min(1).max(1024).describe("Below the content folder"),
  content: z.string(),
  theme: z
    .string()
    .max(262_144)
    .optional()
    .describe("JSON with preset and custom: settings of the theme that are not saved"),
});
const trialShape = z.object({
  preset: z.enum(["docs", "blog", "site"]),
  custom: z.record(z.string(), z.unknown()),
});
type PreviewBody = z.infer<typeof previewBody>;

const text = z.string();
const error = z.object({ error: text });
const answers = {
  200: z.object({
    ...{ html: text, title: text, url: text },
    warnings: z.array(z.object({ field: text, message: text })),
  }),
  ...{ 404: error, 409: error, 413: error, 422: error },
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

function preview(
  { site }: RouteParts,
  { req, identity }: { req: Request; identity: AdminIdentity },
  { path: given, content, theme }: PreviewBody,
) {
  const path = contentPath(given);
  if (!site.use("content").isPage(path)) throw new HttpError(400, notContent(path));
  if (isCode(path)) assertMay(identity, "plugins.manage");
  const trial = theme === undefined ? undefined : trialOf(identity, theme);
  return renderPreview(site, req, { path, content, trial });
}

/** @throws HttpError 400, or 403 without the right to read the settings. */
function trialOf(identity: AdminIdentity, theme: string): z.infer<typeof trialShape> {
  assertMay(identity, "config.read");
  const parsed = trialShape.safeParse(parsedJson(theme));
  if (parsed.success) return parsed.data;
  throw new HttpError(
    400,
    "theme: expected JSON with preset (docs, blog, site) and custom (a map)",
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
