import type { Request } from "express";
import { type Answer, type Handler, HttpError, readHandler, type SiteContext } from "#kernel";
import type { ContentView, RouteMatch } from "../content/contract.js";
import type {} from "../session/contract.js";
import { llmsFull, llmsList, hasMarkdown, markdownUrl, pageText } from "./llms-document.js";

const MARKDOWN = "text/markdown; charset=utf-8";
const DOCUMENT = /^(.*)\/llms(-full)?\.txt$/;
const SUFFIX = ".md";

/** Serves `llms.txt`, `llms-full.txt` and pages as Markdown, to visitors with access. */
export function markdownHandler(site: SiteContext): Handler {
  return readHandler(site.http, (req) => answerFor(site, req));
}

function answerFor(site: SiteContext, req: Request): Promise<Answer | null> | null {
  const { path, state } = req.ctx;
  if (state.variant === "markdown") return page(site, req, path);
  if (path.endsWith(SUFFIX)) return markdownFile(site, req, path.slice(0, -SUFFIX.length));
  const [isDocument, prefix = "", full] = path.endsWith(".txt") ? (DOCUMENT.exec(path) ?? []) : [];
  return isDocument === undefined
    ? null
    : document(site, req, prefix, full === undefined ? llmsList : llmsFull);
}

/** A page whose own address ends with `.md` is shown as such. */
async function markdownFile(site: SiteContext, req: Request, path: string): Promise<Answer | null> {
  const view = openView(site, req);
  if (path === "/" || view.resolve(path + SUFFIX).kind !== "none") return null;
  const answer = await page(site, req, path);
  if (answer !== null || !path.endsWith("/index")) return answer;
  const home = path.slice(0, -"/index".length);
  return home === "" || site.use("content").addresses.parse(home).route === "/"
    ? page(site, req, home === "" ? "/" : home)
    : null;
}

async function page(site: SiteContext, req: Request, path: string): Promise<Answer | null> {
  const view = openView(site, req);
  const match = view.resolve(path === "" ? "/" : path);
  if (match.kind === "gated") throw gated(site, req, match);
  if (match.kind === "redirect") return redirect(view, match);
  if (match.kind === "none" || !hasMarkdown(match.entry)) return null;
  const body = await pageText(view, match.entry);
  // The page is what search engines should list.
  const { indexing } = site.use("content");
  const address = indexing.canonical(match.entry);
  const robots = indexing.robots(match.entry);
  const headers = {
    Link: `<${address}>; rel="canonical"`,
    Vary: "Accept",
    ...(robots !== null && { "X-Robots-Tag": robots }),
  };
  return { type: MARKDOWN, body, headers, ...toCache(view) };
}

type RedirectMatch = Extract<RouteMatch, { kind: "redirect" }>;
type GatedMatch = Extract<RouteMatch, { kind: "gated" }>;

/** Leads to the Markdown of the target, where it is a page that has some. */
function redirect(view: ContentView, { to, status, page: canonical }: RedirectMatch): Answer {
  const target = canonical ?? view.resolve(to);
  const isMarkdown = target.kind === "page" && hasMarkdown(target.entry);
  const headers = { Location: isMarkdown ? markdownUrl(target.entry) : to, Vary: "Accept" };
  return {
    status,
    cache: { private: false, until: view.expiresAt },
    type: "text/plain; charset=utf-8",
    body: "",
    headers,
  };
}

/** Programs get the status; a login page would be of no use to them. */
function gated(site: SiteContext, req: Request, { need }: GatedMatch): HttpError {
  site.use("session", { optional: true })?.assertAvailable(req);
  return need === "login"
    ? new HttpError(401, "log in to read this page")
    : new HttpError(403, "this page needs another role");
}

async function document(
  site: SiteContext,
  req: Request,
  prefix: string,
  generate: typeof llmsList | typeof llmsFull,
): Promise<Answer | null> {
  const { addresses, languages } = site.use("content");
  const lang = languages.supported.find((name) => addresses.rootOf(name) === prefix);
  if (lang === undefined) return null;
  const view = openView(site, req);
  if (view.resolve(req.ctx.path).kind !== "none") return null;
  const body = await generate({ site, view, lang });
  view.reads.add("list").add("nav").add("config");
  return { type: "text/plain; charset=utf-8", body, ...toCache(view) };
}

function openView(site: SiteContext, req: Request): ContentView {
  return site.use("content").view(req.ctx.state.viewer);
}

function toCache(view: ContentView): Pick<Answer, "cache"> {
  return { cache: { tags: view.reads, until: view.expiresAt, private: view.personal } };
}
