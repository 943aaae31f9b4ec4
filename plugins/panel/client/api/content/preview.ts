import { hooks, json } from "../request.js";
import { boot } from "../../boot.js";

/** The page with unsaved text in the theme, as HTML. @throws ApiError 400 for text that cannot be read. */
export async function renderPreview(path: string, content: string): Promise<string> {
  const body = { path, content };
  return (await json<{ html: string }>("/preview", { method: "POST", body })).html;
}

/** A preview link shows the site at a moment (`at` or `rev`), else the page with its working copy. */
export interface PreviewLinkBody {
  readonly path: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** A time with its offset. */
  readonly at?: string;
  /** A commit of the content. */
  readonly rev?: string;
}

/**
 * An address for people without an account, for a time.
 * @throws ApiError 404 when the page is not public at the moment, or the commit is unknown.
 */
export function createPreviewLink(
  body: PreviewLinkBody,
): Promise<{ url: string; expiresAt: number }> {
  return json("/preview-links", { method: "POST", body });
}

/** Loads a preview into a frame, through a form: the document gets an address and the theme's own policy. */
export function showPreview(frame: string, values: Readonly<Record<string, string>>): void {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: `${boot.path}/preview`, target: frame });
  for (const [name, value] of Object.entries({ ...values, _csrf: hooks.csrfToken })) {
    const field = document.createElement("textarea");
    Object.assign(field, { name, value });
    form.append(field);
  }
  form.hidden = true;
  document.body.append(form);
  form.submit();
  form.remove();
}
