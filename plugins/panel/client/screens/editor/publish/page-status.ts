import type { EditSession } from "../saving/edit-session.js";

/** The status of the live page, by the rules of the server for its front matter. */
export function statusOf(session: EditSession): string {
  const { status, published } = session.live.value.frontmatter;
  if (typeof status === "string") return status;
  return published === false ? "draft" : "published";
}
