import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { HttpError, type Answer } from "#kernel";
import type { PageRequest } from "../contract.js";
import { isPersonal, openScope, readsOf, type RenderContext } from "../page/render-context.js";
import { SidebarEntries } from "../theme-api/navigation.js";
import { BRANCHES, parseBranch } from "./sidebar-branches.js";

/** The entries are part of pages, and no page themselves. */
const NO_PAGE = '<meta name="robots" content="noindex">';

/**
 * The entries of a branch of a large sidebar, as HTML with the markup that pages have.
 * @throws HttpError 404 for a branch that the visitor does not have.
 */
export function branchAnswer(context: RenderContext, req: PageRequest): Answer {
  const { supported } = context.site.settings.system.languages;
  const [lang = "", file = "", ...rest] = req.ctx.path.slice(BRANCHES.length + 1).split("/");
  const name = rest.length === 0 && supported.includes(lang) ? parseBranch(file) : null;
  if (name === null) throw new HttpError(404, "not found");
  const scope = openScope(context, req, { lang });
  const { href, t } = context.shared.of(scope.theme, lang);
  const { preset } = context.site.settings.site.theme;
  const branch = context.reading.branch(scope.view, { lang, href, preset }, name);
  if (branch === null) throw new HttpError(404, "not found");
  const body = NO_PAGE + renderToString(h(SidebarEntries, { ...branch, t }));
  return {
    type: "text/html; charset=utf-8",
    body,
    cache: { until: scope.view.expiresAt, private: isPersonal(scope), tags: readsOf(scope) },
  };
}
