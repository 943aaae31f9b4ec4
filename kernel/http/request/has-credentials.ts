import type { IncomingMessage } from "node:http";

/** True when a cookie of a session or a token identifies the visitor; such requests bypass caches. */
export function hasCredentials({
  headers: { authorization, cookie },
}: Pick<IncomingMessage, "headers">): boolean {
  return authorization !== undefined || (cookie !== undefined && cookie.includes("site_"));
}
