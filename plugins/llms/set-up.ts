import { escapeHtml, type SiteContext } from "#kernel";
import { hasMarkdown, markdownUrl } from "./llms-document.js";
import { markdownHandler } from "./routes.js";

/** Registers what the plugin does in a site that starts. */
export function setUpLlms(site: SiteContext): void {
  const { enabled, negotiate } = site.settings.site.llms;
  if (!enabled) return;
  if (negotiate) negotiateMarkdown(site);
  site.http.use("routes", markdownHandler(site));
  site.extensions.add("pageHead", (req) => alternateLink(site, req.ctx.path));
}

/** Marks requests that prefer Markdown before cached responses are served, and what depends on it. */
function negotiateMarkdown(site: SiteContext): void {
  site.http.edge("answer", (req) => {
    if (acceptsMarkdown(req)) req.ctx.state.variant = "markdown";
  });
  site.http.filter((req, _res, answer) => {
    if (req.ctx.route !== "page" || !answer.type.startsWith("text/html")) return;
    const vary = answer.headers?.["Vary"];
    const names = vary === undefined ? "Accept" : `${vary}, Accept`;
    answer.headers = { ...answer.headers, Vary: names };
  });
}

const MARKDOWN = "text/markdown";

/** The fields of a request that select its format. */
interface Negotiated {
  readonly headers: { readonly accept?: string | undefined };
  accepts(types: string[]): string | false;
}

/**
 * True when a request names `text/markdown` and does not prefer HTML (RFC 9110, 12.5.1). Wildcards
 * never select Markdown.
 */
function acceptsMarkdown(req: Negotiated): boolean {
  // Nearly every request ends here.
  if (req.headers.accept?.includes(MARKDOWN) !== true) return false;
  return req.accepts(["text/html", MARKDOWN]) === MARKDOWN;
}

function alternateLink(site: SiteContext, path: string): string {
  const match = site.use("content").view().resolve(path);
  if (match.kind !== "page" || match.pageNumber > 1 || !hasMarkdown(match.entry)) return "";
  return `<link rel="alternate" type="text/markdown" href="${escapeHtml(markdownUrl(match.entry))}">`;
}
