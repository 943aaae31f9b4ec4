import type { Answer, SiteContext } from "#kernel";
import type { FieldViolation, PageEntry, WriteRights } from "../../content/contract.js";
import type { RenderService, ThemeTrial } from "../../render/contract.js";
import { refusal } from "../refusals.js";
import { allowed, checked } from "../write/save-page.js";

/** Text of a page that is not saved. */
export interface PreviewText {
  readonly path: string;
  readonly content: string;
  /** The rights of the person who sees it: code runs only with the right to it. */
  readonly rights: WriteRights;
  /** Settings of the theme that are not saved. */
  readonly trial?: ThemeTrial | undefined;
}
/** A rendered preview. */
export interface Preview {
  readonly entry: PageEntry;
  readonly html: string;
  /** What does not fit the page's blueprint. */
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
  const warnings = await warningsOf(site, { path, content, rights });
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
async function warningsOf(
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
  return refusal(422, "ERR_ADMIN_PREVIEW", { message });
}
