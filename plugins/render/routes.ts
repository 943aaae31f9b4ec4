import type { Request } from "express";
import { type Answer, type Phase, safeNext } from "#kernel";
import type { ContentView, RouteMatch } from "../content/contract.js";
import type {} from "../session/contract.js";
import type { Mistakes, ContentNotices } from "./dev/mistakes.js";
import { drawnWith, type RenderContext } from "./page/render-context.js";
import { renderError, type PageError } from "./page/error-page.js";
import { renderPage } from "./page/render-page.js";
import { redirectTarget } from "./page/url.js";

const NUMBERED = /^(.*)\/page:([2-9]|[1-9]\d{1,6})$/s;

// A redirect or rejection that depends on the visitor must not be shared.
const PRIVATE = { "Cache-Control": "private, no-store" };

/** The login page, unless the configuration or a host names another. */
const LOGIN = "/auth/login";

const PHASE: Phase = "pages";

/** The tools that dev mode adds to pages. */
export interface DevTools {
  readonly notices: ContentNotices;
  readonly mistakes: Mistakes;
}

/** The name of the mistakes of a page, by its path. */
export function mistakeName(path: string): string {
  return `page ${path}`;
}

/** Mounts the catch-all route, which serves pages of the tree that the visitor may see. */
export function mountPages(context: RenderContext, dev: DevTools | null = null): void {
  context.site.http.use(PHASE, async (req, res, next) => {
    if (req.method !== "GET" && req.method !== "HEAD") return next();
    const find = () => answerFor(context, req, dev?.notices ?? null);
    const name = mistakeName(req.ctx.path);
    const answer = await (dev === null ? find() : dev.mistakes.watch(name, find));
    if (answer === null) next();
    else context.site.http.send(req, res, answer);
  });
}

async function answerFor(
  context: RenderContext,
  req: Request,
  notices: ContentNotices | null,
): Promise<Answer | null> {
  const view = context.content.view(req.ctx.state.viewer);
  const resolved = resolvePath(context, view, req.ctx.path, req.ctx.search);
  const match = await context.content.matched(req, resolved);
  const answer = await answerTo(context, req, match, view);
  return notices !== null && answer !== null && match.kind === "page"
    ? notices.onPage(req, match.entry, answer)
    : answer;
}

async function answerTo(
  context: RenderContext,
  req: Request,
  match: RouteMatch,
  view: ContentView,
): Promise<Answer | null> {
  switch (match.kind) {
    case "none":
      return null;
    case "page":
      return context.renders.run(req, () => renderPage(context, req, { match, view }));
    case "redirect":
      return redirect(redirectTarget(match.to, match.search ?? req.ctx.search), {
        status: match.status,
        until: view.expiresAt,
      });
    case "gated":
      return gate(context, req, match);
  }
}

// The tree knows lists from front matter; a theme may also define one for a template
// (`collections:`).
function resolvePath(
  context: RenderContext,
  view: ContentView,
  path: string,
  search: string,
): RouteMatch {
  const match = view.resolve(path, search);
  const numbered = match.kind === "none" ? NUMBERED.exec(path) : null;
  if (numbered === null) return match;
  const page = view.resolve(numbered[1] || "/");
  if (page.kind !== "page") return match;
  const { collection } = page.entry.frontmatter;
  const query =
    collection === undefined
      ? context.theme().collectionOf(drawnWith(context, page.entry))
      : undefined;
  return query?.pagination ? { ...page, pageNumber: Number(numbered[2]) } : match;
}

type GatedMatch = Extract<RouteMatch, { kind: "gated" }>;

async function gate(context: RenderContext, req: Request, { need }: GatedMatch): Promise<Answer> {
  context.site.use("session", { optional: true })?.assertAvailable(req);
  if (need === "login") {
    const { auth } = context.site.settings.site;
    if (!context.content.hasLogin()) {
      const message = "this page is for visitors who are logged in, and this site has no login";
      return refuse(context, req, { status: 403, message, messageKey: "error.role.text" });
    }
    // Tokens come from an identity provider, so there is no login page.
    if (auth?.mode === "external-jwt" && auth.loginPath === undefined) {
      return refuse(context, req, { status: 401, message: "log in to read this page" });
    }
    // The raw, encoded path; paths that are too long to return to are dropped.
    const next = encodeURIComponent(safeNext(req.url));
    const login = auth?.loginPath ?? LOGIN;
    return redirect(`${login}?next=${next}`, { status: 302, isPrivate: true });
  }
  const messageKey = "error.role.text";
  return refuse(context, req, { status: 403, message: "this page needs another role", messageKey });
}

async function refuse(context: RenderContext, req: Request, error: PageError): Promise<Answer> {
  const answer = await renderError(context, req, error);
  return { ...answer, cache: { private: true }, headers: PRIVATE };
}

/** Properties of a redirect. */
interface RedirectOptions {
  status: number;
  /** True: it depends on the visitor. */
  isPrivate?: boolean;
  /** Unix ms of the next scheduled change; null: none. */
  until?: number | null;
}

function redirect(to: string, options: RedirectOptions): Answer {
  const { status, isPrivate = false, until = null } = options;
  const headers = { Location: to, ...(isPrivate ? PRIVATE : {}) };
  return {
    status,
    cache: { private: isPrivate, until },
    type: "text/plain; charset=utf-8",
    body: "",
    headers,
  };
}
