import { boot } from "../boot.js";
import { json } from "./request.js";

/** Renders unsaved text in the theme; the address shows it to this session for a few minutes. */
export async function createPreview(path: string, content: string): Promise<string> {
  const { frame } = await json<{ frame: string }>("/preview", {
    method: "POST",
    body: { path, content },
  });
  return frame.startsWith("/") ? frame : `${boot.path}/api/preview/frame/${frame}`;
}

/** An address that shows the working copy to people without an account, for a time in seconds. */
export function createPreviewLink(
  path: string,
  expiresIn: number,
): Promise<{ url: string; expiresAt: number }> {
  return json("/preview-links", { method: "POST", body: { path, expiresIn } });
}
