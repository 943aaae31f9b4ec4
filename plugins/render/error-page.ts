import type { PageRequest } from "./contract.js";
import { escapeHtml, type Answer } from "#kernel";
import { renderDocument } from "./document.js";
import { isPersonal, openScope } from "./house.js";
import type { House } from "./house.js";
import { languageOf } from "./languages.js";
import { baseProps, documentTitle } from "./page-props.js";
import { renderHtml } from "./render-html.js";

/** An error as a page shows it. */
export interface PageError {
  status: number;
  message: string;
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

/** An error page through the theme; the built-in one when the theme has none, or fails itself. */
export async function renderError(
  house: House,
  req: PageRequest,
  error: PageError,
): Promise<Answer> {
  try {
    const themed = await renderThemed(house, req, error);
    if (themed !== null) return themed;
  } catch (failure) {
    house.site.log.error("render.error-page.failed", {
      status: error.status,
      error: String(failure),
    });
  }
  return builtIn(req, error);
}

async function renderThemed(
  house: House,
  req: PageRequest,
  error: PageError,
): Promise<Answer | null> {
  const { templates, strings } = house.theme();
  const template = [`errors/${error.status}`, "error"].find((name) => templates.has(name));
  if (template === undefined) return null;
  const lang = languageOf(req.ctx.path ?? "/", house.site.settings.system.languages);
  const scope = openScope(house, req, { lang });
  const t = strings.of(lang);
  const title = t(`error.${error.status}.title`, titleOf(error.status));
  // What went wrong inside is the log's, not the visitor's.
  const message = error.status >= 500 ? "" : error.message;
  const props = Object.assign(await baseProps(house, scope), {
    pageTitle: documentTitle(title, house.site.settings.site.title),
    head: house.head.of(req, null),
    status: error.status,
    statusCode: error.status,
    title,
    message,
  });
  const { html } = await renderHtml(house, scope, { template, props, page: null });
  return {
    status: error.status,
    type: "text/html; charset=utf-8",
    body: html,
    ...(isPersonal(scope) || error.status === 403 ? { private: true } : {}),
  };
}

function builtIn(req: PageRequest, { status, message }: PageError): Answer {
  const title = titleOf(status);
  const text = status >= 500 ? "The server could not answer. Please try again later." : message;
  const body = `<p class="dim">${status}</p><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><p><a href="/">Home</a></p>`;
  return {
    status,
    type: "text/html; charset=utf-8",
    body: renderDocument({ title, body, nonce: req.ctx.nonce() }),
  };
}

function titleOf(status: number): string {
  return TITLES[status] ?? (status >= 500 ? "Server error" : "Error");
}
