/** Pages that show a form. */
import type { Request } from "express";
import { escapeHtml, type Answer, type SiteContext } from "#kernel";
import type { RepeatedForm } from "../contract.js";
import { withForm } from "../form-html.js";

/** The page that showed a form, with its state; else a page with nothing but the form. */
export async function formAgain(
  site: SiteContext,
  req: Request,
  form: RepeatedForm,
): Promise<Answer> {
  return (await pageWithForm(site, req, form)) ?? (await formPage(site, req, form));
}

/** The page that showed the form, with the form in its state; null when the visitor cannot see it. */
async function pageWithForm(
  site: SiteContext,
  req: Request,
  { page, name, html }: RepeatedForm,
): Promise<Answer | null> {
  const render = site.use("render", { optional: true });
  if (page === "" || render === undefined) return null;
  const path = decoded(page);
  const view = site.use("content").view(req.ctx.state.viewer);
  const match = view.resolve(path);
  if (match.kind !== "page") return null;
  const answer = await render.renderPage(req, match, { view, path });
  const body = withForm(answer.body.toString(), name, html);
  return body === null ? null : { ...answer, body };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A page with nothing but a form, or the thanks. */
interface ShownPage {
  readonly heading: string;
  readonly html: string;
  /** Path of a page in the language of the visitor. */
  readonly page: string;
}

/** Renders a page with nothing but a form, or the thanks. */
export async function formPage(
  site: SiteContext,
  req: Request,
  { heading, html, page }: ShownPage,
): Promise<Answer> {
  const render = site.use("render", { optional: true });
  const options = { title: heading, cache: { private: true }, languageOf: page || "/" };
  const answer = await render?.renderTemplate(req, "form", { heading, html }, options);
  if (answer) return answer;
  const body = `<main><h1>${escapeHtml(heading)}</h1>${html}</main>`;
  const type = "text/html; charset=utf-8";
  const plain = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(heading)}</title></head><body>${body}</body></html>`;
  return { type, body: render?.document({ title: heading, body }) ?? plain };
}
