/** Finds routes that take precedence over pages, and the pages that they hide. */
import {
  type SiteContext,
  expectKind,
  type ExtensionList,
  type Extensions,
  type Http,
} from "#kernel";
import type { FindProblems, ContentIndex } from "../index/content-index.js";
import { type RouteRules, NUMBERED, readRedirect, resolveRoute } from "../view/resolve-route.js";
import { type LanguageRules, toUrl } from "../view/address.js";
import type { ContentProblem, PageEntry, RedirectRule } from "../contract.js";

/** Looks up the declared routes of a site. */
export class Reachability {
  /** Problems of pages, aliases and redirects of an index. */
  readonly problems: FindProblems;
  readonly #site: SiteContext;
  readonly #others: ExtensionList<Extensions["routeClaims"]>;
  #claims: RouteClaims | null = null;

  /** `rules` returns the rules at the time of the check. */
  constructor(site: SiteContext, rules: () => RouteRules) {
    this.#site = site;
    this.#others = site.extensions.open("routeClaims", {
      check: expectKind("function"),
      result: expectKind("string", "null"),
    });
    this.problems = (index) =>
      unreachable({ index, rules: rules(), claimOf: this.#currentClaims() });
  }

  /** The route that answers a decoded path; null when pages answer. */
  claimOf(path: string): string | null {
    return this.#currentClaims()(path);
  }

  /** `claimOf` for many paths. */
  #currentClaims(): ClaimOf {
    const declared = (this.#claims ??= this.#newClaims());
    return (path) =>
      declared.claimOf(path) ??
      this.#others.each((claimOf) => claimOf(path)).find((claim) => claim !== null) ??
      null;
  }

  #newClaims(): RouteClaims {
    const { http, settings } = this.#site;
    const hasPanel = this.#site.runtime.plugins().some(({ name }) => name === "admin");
    return new RouteClaims(http, hasPanel ? settings.admin.path : null);
  }
}

type Routes = Pick<Http, "routes" | "described">;

/** A lookup of declared `GET` routes by path. Build it once all routes are declared. */
class RouteClaims {
  readonly #plain = new Set<string>();
  /** By the first segment of their path. */
  readonly #patterns = new Map<string, { path: string; pattern: RegExp }[]>();
  readonly #guarded: string | null;

  /** `guarded`: a path below which a guard responds; null without one. */
  constructor({ routes, described }: Routes, guarded: string | null) {
    this.#guarded = guarded;
    for (const { method, path } of [...routes, ...described]) {
      if (method === "get") this.#add(path);
    }
  }

  /** The declared path of the route; null when pages handle it. */
  claimOf(path: string): string | null {
    if (this.#plain.has(path)) return path;
    const patterns = this.#patterns.get(firstSegment(path)) ?? [];
    const claim = patterns.find(({ pattern }) => pattern.test(path));
    if (claim !== undefined) return claim.path;
    const isGuarded = this.#guarded !== null && path.startsWith(`${this.#guarded}/`);
    return isGuarded ? `${this.#guarded}/*path` : null;
  }

  #add(path: string): void {
    if (!/[:*{]/.test(path)) {
      this.#plain.add(path);
      return;
    }
    const first = firstSegment(path);
    const others = this.#patterns.get(first) ?? [];
    this.#patterns.set(first, [...others, { path, pattern: toPattern(path) }]);
  }
}

/** Converts an Express 5 path: `:name` is a segment, `*name` the rest, braces are optional. */
function toPattern(path: string): RegExp {
  const source = path
    .replace(/[.+?^$()[\]|\\]/g, "\\$&")
    .replace(/\{([^{}]*)\}/g, "(?:$1)?")
    .replace(/:[A-Za-z_]\w*/g, "[^/]+")
    .replace(/\*[A-Za-z_]\w*/g, ".+");
  return new RegExp(`^${source}$`, "s");
}

/** Without arrays: it is called for each page of the site after each change. */
function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return path.slice(1, end === -1 ? undefined : end);
}

/** The declared route that handles a path before pages do; null when pages handle it. */
type ClaimOf = (path: string) => string | null;

/** Dependencies of the search for unreachable pages. */
interface UnreachableContext {
  index: ContentIndex;
  rules: RouteRules;
  claimOf: ClaimOf;
}

const CODE_PAGE = "ERR_CONTENT_UNREACHABLE";
const CODE_ALIAS = "ERR_CONTENT_ALIAS";
/** The file named in problems of configured addresses. */
const SITE_FILE = "site.yaml";

/** All unreachable pages, aliases and redirects, with what takes precedence. */
function unreachable(context: UnreachableContext): ContentProblem[] {
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
    const winner = findWinner(path, rules, claimOf) ?? languageHome({ route, lang }, rules);
    if (winner === null) continue;
    const message = `the page is never shown: at ${JSON.stringify(path)} ${winner}; choose another slug`;
    problems.push({ sourcePath, severity: "error", code: CODE_PAGE, message });
  }
  return problems;
}

/** Names the route or redirect that takes precedence over a page; null without one. */
function findWinner(path: string, rules: RouteRules, claimOf: ClaimOf): string | null {
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

function aliasWinner(path: string, entry: PageEntry, context: UnreachableContext): string | null {
  const winner = findWinner(path, context.rules, context.claimOf);
  if (winner !== null) return winner;
  const page = findPage(path, context);
  const isReached = page === null || page.sourcePath === entry.sourcePath;
  return isReached ? null : `it belongs to ${JSON.stringify(page.sourcePath)}`;
}

/** `redirect` in the front matter of pages. */
function ownRedirectProblems(context: UnreachableContext): ContentProblem[] {
  return context.index.entries.flatMap((entry): ContentProblem[] => {
    const to = entry.routable ? readRedirect(entry) : null;
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

function routeProblem(alias: string, target: string, context: UnreachableContext): string | null {
  const { index, rules, claimOf } = context;
  const winner = findWinner(alias, rules, claimOf);
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

function findPage(path: string, context: UnreachableContext): PageEntry | null {
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
