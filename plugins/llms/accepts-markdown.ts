import type { Request } from "express";

const MARKDOWN = "text/markdown";

/**
 * True when a request names `text/markdown` and does not prefer HTML (RFC 9110, 12.5.1). Wildcards
 * never select Markdown.
 */
export function acceptsMarkdown(req: Pick<Request, "headers" | "accepts">): boolean {
  // Nearly every request ends here.
  if (req.headers.accept?.includes(MARKDOWN) !== true) return false;
  return req.accepts(["text/html", MARKDOWN]) === MARKDOWN;
}
