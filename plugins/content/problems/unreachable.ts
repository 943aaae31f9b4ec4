/** Finds pages and aliases that are never shown, because something else uses their address. */
import type { LanguageRules } from "../view/address.js";
import { toUrl } from "../view/address.js";
import type { ContentIndex } from "../index/content-index.js";
import type { ContentProblem, PageEntry, RedirectRule } from "../contract.js";
import { NUMBERED, ownRedirectOf, resolveRoute, type RouteRules } from "../view/resolve-route.js";

/** The declared route that handles a path before pages do; null when pages handle it. */
export type ClaimOf = (path: string) => string | null;

/** Dependencies of the search for unreachable pages. */
export interface UnreachableContext {
  index: ContentIndex;
  rules: RouteRules;
  claimOf: ClaimOf;
}

const CODE_PAGE = "ERR_CONTENT_UNREACHABLE";
const CODE_ALIAS = "ERR_CONTENT_ALIAS";
/** The file named in problems of configured addresses. */
const SITE_FILE = "site.yaml";

/** All unreachable pages, aliases and redirects, with what takes precedence. */
export function unreachable(context: UnreachableContext): ContentProblem[] {
  return [
    ...pageProblems(context),
    ...aliasProblems(context),
    ...ownRedirectProblems(context),
    ...configuredProblems(context),
  ];
}

function pageProblems({ index, rules, claimOf }: UnreachableContext): ContentProblem[] {
  const problems: ContentProblem[] = [];
  for (const { routable, route, url, lang, sourcePath } of index.entries) {
    if (!routable) continue;
    const path = decodedPath(url);
    const winner = winnerOf(path, rules, claimOf) ?? languageHome({ route, lang }, rules);
    if (winner === null) continue;
    const message = `the page is never shown: at ${JSON.stringify(path)} ${winner}; choose another slug`;
    problems.push({ sourcePath, severity: "error", code: CODE_PAGE, message });
  }
  return problems;
}

/** What takes precedence over pages. */
// oxlint-disable-next-line max-params -- a path, and the two that come before pages
function winnerOf(path: string, rules: RouteRules, claimOf: ClaimOf): string | null {
  if (NUMBERED.test(path)) return "the page of a list with that number answers";
  const claim = claimOf(path);
  if (claim !== null) return `the route ${JSON.stringify(claim)} answers`;
  const redirect = rules.redirects.match(path);
  return redirect === null ? null : `a redirect leads to ${JSON.stringify(redirect.to)}`;
}

/** `/de` is the German home page, regardless of `content/de`. */
function languageHome(
  { route, lang }: Pick<PageEntry, "route" | "lang">,
  { languages, defaultLanguage, includeDefaultInUrl }: LanguageRules,
): string | null {
  if (languages.length < 2 || lang !== defaultLanguage || includeDefaultInUrl) return null;
  const first = route.split("/", 2)[1] ?? "";
  return languages.includes(first) ? `pages in the language ${JSON.stringify(first)} stand` : null;
}

function aliasProblems(context: UnreachableContext): ContentProblem[] {
  const problems: ContentProblem[] = [];
  for (const entry of context.index.entries) {
    for (const alias of entry.routable ? entry.aliases : []) {
      const path = decodedPath(toUrl(alias, entry.lang, context.rules));
      const winner = aliasWinner(path, entry, context);
      if (winner === null) continue;
      const message = `the alias ${JSON.stringify(alias)} does not lead to the page: ${winner}; remove it`;
      const { sourcePath } = entry;
      problems.push({ sourcePath, severity: "warning", code: CODE_ALIAS, message });
    }
  }
  return problems;
}

// oxlint-disable-next-line max-params -- an alias, its page, and everything else
function aliasWinner(path: string, entry: PageEntry, context: UnreachableContext): string | null {
  const winner = winnerOf(path, context.rules, context.claimOf);
  if (winner !== null) return winner;
  const found = pageAt(path, context);
  const isReached = found === null || found.sourcePath === entry.sourcePath;
  return isReached ? null : `it belongs to ${JSON.stringify(found.sourcePath)}`;
}

/** `redirect` in the front matter of pages. */
function ownRedirectProblems(context: UnreachableContext): ContentProblem[] {
  return context.index.entries.flatMap((entry): ContentProblem[] => {
    const to = entry.routable ? ownRedirectOf(entry) : null;
    const what = to === null ? null : targetProblem(to, context);
    if (what === null) return [];
    const { sourcePath } = entry;
    return [{ sourcePath, severity: "warning", code: CODE_ALIAS, message: `redirect: ${what}` }];
  });
}

/** Aliases (`routes`) and redirects of the configuration. */
function configuredProblems(context: UnreachableContext): ContentProblem[] {
  const { routes, redirects } = context.rules;
  const report = (key: string, what: string): ContentProblem => ({
    sourcePath: SITE_FILE,
    isInRoot: true,
    severity: "warning",
    code: CODE_ALIAS,
    message: `${key}: ${what}`,
  });
  return [
    ...[...routes].flatMap(([alias, target]) => {
      const what = routeProblem(alias, target, context);
      return what === null ? [] : [report(`routes[${JSON.stringify(alias)}]`, what)];
    }),
    ...[...redirects.rules].flatMap((rule) => {
      const what = redirectProblem(rule, context);
      return what === null ? [] : [report(redirectName(rule.from), what)];
    }),
    ...redirects.unused.map(({ from }) =>
      report(
        redirectName(from),
        "the redirect is never used: a later line has the same address in another spelling; remove one of them",
      ),
    ),
  ];
}

// oxlint-disable-next-line max-params -- an alias, its target, and everything else
function routeProblem(alias: string, target: string, context: UnreachableContext): string | null {
  const { index, rules, claimOf } = context;
  const winner = winnerOf(alias, rules, claimOf);
  if (winner !== null) return `the alias is never used: ${winner}; remove it`;
  const shadow = index.at(alias, rules.defaultLanguage);
  if (shadow !== undefined)
    return `the alias is never used: the address belongs to ${JSON.stringify(shadow.sourcePath)}; remove it`;
  if (rules.languages.some((lang) => index.at(target, lang) !== undefined)) return null;
  const next = rules.routes.get(target);
  if (next !== undefined)
    return `${JSON.stringify(target)} is an alias itself, and aliases are not followed twice; use ${JSON.stringify(next)}`;
  return `there is no page at ${JSON.stringify(target)}; correct it or remove it`;
}

/** The redirect in messages, by its key. */
function redirectName(from: string): string {
  return `redirects[${JSON.stringify(from)}]`;
}

function redirectProblem(
  { kind, path, to }: RedirectRule,
  context: UnreachableContext,
): string | null {
  const claim = kind === "below" ? null : context.claimOf(path);
  if (claim !== null)
    return `the redirect is never used: the route ${JSON.stringify(claim)} answers; remove it`;
  // Where an address below leads is known only when it is requested.
  return to.includes(":splat") ? null : targetProblem(to, context);
}

/** Why a redirect to `to` leads to no page of this site; null when it does, or leads to another site. */
function targetProblem(to: string, context: UnreachableContext): string | null {
  if (!to.startsWith("/")) return null;
  const target = decodedPath(to.replace(/[?#].*$/s, ""));
  const next = context.rules.redirects.matchAddress(to);
  if (next !== null)
    return `${JSON.stringify(target)} redirects again; use ${JSON.stringify(next.to)}`;
  const isFile = /\.[A-Za-z0-9]+$/.test(target);
  if (isFile || context.claimOf(target) !== null) return null;
  return resolved(target, context).kind === "none"
    ? `there is no page at ${JSON.stringify(target)}; correct it or remove it`
    : null;
}

function pageAt(path: string, context: UnreachableContext): PageEntry | null {
  const match = resolved(path, context);
  return match.kind === "page" || match.kind === "gated" ? match.entry : null;
}

function resolved(path: string, { index, rules }: UnreachableContext) {
  return resolveRoute(path, { index, rules, access: () => "open", note: () => undefined });
}

function decodedPath(url: string): string {
  if (!url.includes("%")) return url;
  try {
    return decodeURIComponent(url);
  } catch (error) {
    if (error instanceof URIError) return url;
    throw error;
  }
}
