import type { Conflict } from "../../../api/content/drafts.js";
import type { ApiError } from "../../../api/request.js";

/** Both texts of a 409; null when the response holds none. */
export function readConflict({ body, message }: ApiError, yours: string): Conflict | null {
  const text = (name: string): string | null => {
    const value = body[name];
    return typeof value === "string" ? value : null;
  };
  const theirs = text("theirs") ?? text("live");
  if (theirs === null && text("base") === null) return null;
  return {
    error: message,
    etag: text("etag"),
    liveEtag: text("liveEtag"),
    base: text("base"),
    theirs,
    yours,
    proposal: text("proposal"),
  };
}
