const MARKDOWN = "text/markdown";

/** The parts of a request that select its format. */
interface Negotiated {
  readonly headers: { readonly accept?: string | undefined };
  accepts(types: string[]): string | false;
}

/**
 * True when a request names `text/markdown` and does not prefer HTML (RFC 9110, 12.5.1). Wildcards
 * never select Markdown.
 */
export function acceptsMarkdown(req: Negotiated): boolean {
  // Nearly every request ends here.
  if (req.headers.accept?.includes(MARKDOWN) !== true) return false;
  return req.accepts(["text/html", MARKDOWN]) === MARKDOWN;
}
