import { json } from "./request.js";

/** The page with unsaved text in the theme, as HTML. @throws ApiError 400 for text that cannot be read. */
export async function renderPreview(path: string, content: string): Promise<string> {
  const body = { path, content };
  return (await json<{ html: string }>("/preview", { method: "POST", body })).html;
}

/** An address that shows the working copy to people without an account, for a time in seconds. */
export function createPreviewLink(
  path: string,
  expiresIn: number,
): Promise<{ url: string; expiresAt: number }> {
  return json("/preview-links", { method: "POST", body: { path, expiresIn } });
}
