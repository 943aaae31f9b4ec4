import { escapeHtml, HttpError, type Answer } from "#kernel";
import type { PageFailure, PageRequest } from "../contract.js";
import { renderDocument, renderHtml } from "./render-html.js";
import type { ErrorDocument } from "./error-page-cache.js";
import { isPersonal, openScope } from "./render-context.js";
import type { RenderContext } from "./render-context.js";
import { parseLanguage } from "./url.js";
import { baseProps, documentTitle } from "./page-props.js";

/** An error as displayed on a page. */
export interface PageError extends PageFailure {
  /** String key of the message, for messages that every site may show. */
  messageKey?: string;
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Log in first",
  403: "No access",
  404: "Page not found",
  405: "Not possible here",
  410: "Gone",
  413: "Too large",
  429: "Too many requests",
  503: "Not available",
};

/** Renders an error page with the theme; the built-in one when the theme has none or fails. */
export async function renderError(
  context: RenderContext,
  req: PageRequest,
  error: PageError,
): Promise<Answer> {
  const { templates } = context.theme();
  const template = [`errors/${error.status}`, "error"].find((name) => templates.has(name));
  if (template === undefined) return renderBuiltIn(context, req, error);
  try {
    return await renderThemed(context, req, error, template);
  } catch (failure) {
    // A full render queue is not an error of the theme.
    if (!(failure instanceof HttpError)) {
      context.site.log.error("render.error_page_failed", {
        status: error.status,
        error: String(failure),
      });
    }
    return renderBuiltIn(context, req, error);
  }
}

/** An error page of the theme. */
interface ErrorTask {
  error: PageError;
  template: string;
  lang: string;
}

async function renderThemed(
  context: RenderContext,
  req: PageRequest,
  error: PageError,
  template: string,
): Promise<Answer> {
  const { site, errorPages, renders } = context;
  const lang = parseLanguage(req.ctx.path, site.settings.system.languages);
  const render = () =>
    renders.run(req, () => renderErrorDocument(context, req, { error, template, lang }));
  if (!isShareable(context, req)) return (await render()).answer;
  req.ctx.lang = lang;
  const { status, message } = error;
  const key = JSON.stringify([status, lang, message, context.head.of(req, null)]);
  return errorPages.get(context.theme(), key, async () => render());
}

/** True when the page depends on nothing of the request but its language. */
function isShareable({ site: { hooks } }: RenderContext, { ctx }: PageRequest): boolean {
  const isAnonymous = ctx.state.viewer === undefined && !("siteUser" in ctx.state);
  return isAnonymous && !hooks.has("onBeforeRender") && !hooks.has("onAfterRender");
}

async function renderErrorDocument(
  context: RenderContext,
  req: PageRequest,
  { error, template, lang }: ErrorTask,
): Promise<ErrorDocument> {
  const scope = openScope(context, req, { lang });
  const t = scope.theme.strings.of(lang);
  const title = t(`error.${error.status}.title`, errorTitle(error.status));
  // Internal errors are logged, not shown to visitors.
  const { messageKey } = error;
  const said = messageKey === undefined ? error.message : t(messageKey, error.message);
  const message = error.status >= 500 ? "" : said;
  const props = Object.assign(await baseProps(context, scope), {
    // One page serves all addresses, like `404.html` of an export.
    pathname: "/",
    search: "",
    pageTitle: documentTitle(title, context.site.settings.site.title),
    head: context.head.of(req, null),
    status: error.status,
    statusCode: error.status,
    title,
    message,
  });
  const { html } = await renderHtml(context, scope, { template, props, page: null });
  const isPrivate = isPersonal(scope);
  const answer: Answer = {
    status: error.status,
    type: "text/html; charset=utf-8",
    body: html,
    ...(isPrivate || error.status === 403 ? { cache: { private: true } } : {}),
  };
  const isShared = !isPrivate && !req.ctx.hasNonce;
  return { answer, isShared, expiresAt: scope.view.expiresAt };
}

function renderBuiltIn(
  { head }: RenderContext,
  req: PageRequest,
  { status, message }: PageError,
): Answer {
  const title = errorTitle(status);
  const text = status >= 500 ? "The server could not answer. Please try again later." : message;
  const body = `<p class="dim">${status}</p><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><p><a href="/">Home</a></p>`;
  return {
    status,
    type: "text/html; charset=utf-8",
    body: renderDocument({ title, body, nonce: req.ctx.nonce(), head: head.of(req, null) }),
  };
}

function errorTitle(status: number): string {
  return TITLES[status] ?? (status >= 500 ? "Server error" : "Error");
}
