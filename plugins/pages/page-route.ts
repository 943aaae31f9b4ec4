import { HttpError } from "#kernel";
import type { ContentService, ContentView, PageMatch, RouteMatch } from "../content/contract.js";

type Addresses = ContentService["addresses"];
/** The requested part of a page. */
export type PagePart = "page" | "children" | "media" | "related";
/** A path below `/api/pages/` and the language of the query string. */
export interface PagePath {
  /** Decoded, with or without language prefix. */
  route: string;
  lang: string | undefined;
  /** False: missing translations are not replaced. */
  fallback: boolean;
}
/** A page, or one of its parts. */
interface FoundTarget {
  kind: "page";
  match: PageMatch;
  part: PagePart;
}
/** A page that redirects to another address. */
export interface RedirectTarget {
  kind: "redirect";
  /** The address as configured. */
  to: string;
  /** Address of the target page; null when it is not a page of the site. */
  url: string | null;
  status: 301 | 302;
  part: PagePart;
}
/** The target of a path below `/api/pages/`. */
type PageTarget = FoundTarget | RedirectTarget;

/** Maximum number of redirects to follow. */
const MAX_HOPS = 10;
const SUB_RESOURCE = /^(.*)\/(children|media|related)$/;

/** The pages among which a path is looked up. */
export interface PageLookup {
  view: ContentView;
  addresses: Addresses;
  /** Base URL of the site. */
  base: string;
}

/**
 * The page, or the sub-resource of a page, at a path. A page whose last segment is `children`, `media`
 * or `related` wins over the sub-resource.
 * @throws HttpError 404 for an absent page, 401 or 403 for one that is gated.
 */
export function findTarget(pages: PageLookup, path: PagePath): PageTarget {
  const exact = lookup(pages, path);
  const target = toTarget(pages, exact, "page");
  if (target !== null) return target;
  const [, base, part] = SUB_RESOURCE.exec(path.route) ?? [];
  if (base === undefined) throw failure(exact);
  const above = lookup(pages, { ...path, route: base === "" ? "/" : base });
  const parent = toTarget(pages, above, parsePart(part));
  if (parent === null) throw failure(exact.kind === "gated" ? exact : above);
  return parent;
}

function parsePart(text: string | undefined): PagePart {
  return text === "media" || text === "related" ? text : "children";
}

function toTarget(pages: PageLookup, match: RouteMatch, part: PagePart): PageTarget | null {
  if (match.kind === "page") return { kind: "page", match, part };
  if (match.kind !== "redirect") return null;
  const { to, status } = match;
  return { kind: "redirect", to, url: followRedirects(pages, to), status, part };
}

function failure(match: RouteMatch): HttpError {
  if (match.kind !== "gated") return new HttpError(404, "Not found");
  return match.need === "login"
    ? new HttpError(401, "log in to read this page")
    : new HttpError(403, "you may not read this page");
}

const NONE: RouteMatch = { kind: "none" };

/** Resolves a path in its language; follows redirects to the canonical address. */
function lookup({ view, addresses }: PageLookup, path: PagePath): RouteMatch {
  const { route, lang, fallback } = path;
  const prefix = addresses.parse(route).lang;
  const isBare = lang !== undefined && prefix === null;
  const address = isBare ? decodeURIComponent(addresses.urlOf(route, lang)) : route;
  const match = direct(view.resolve(address));
  if (match.kind !== "page") return match;
  if (match.pageNumber > 1) return NONE;
  const isOther = lang !== undefined && prefix !== null && prefix !== lang;
  const translated = isOther ? inLanguage(view, addresses, match, lang) : match;
  return fallback || !isStandIn(translated) ? translated : NONE;
}

function isStandIn(match: RouteMatch): boolean {
  return match.kind === "page" && match.entry.standsInFor !== undefined;
}

/** `/de/about?lang=fr`: the same page in the language of the parameter. */
function inLanguage(
  view: ContentView,
  addresses: Addresses,
  { entry }: PageMatch,
  lang: string,
): RouteMatch {
  const translations = view.translations(entry);
  const translation = translations.find((other) => other.lang === lang);
  if (translation !== undefined)
    return { kind: "page", entry: translation.entry, lang, pageNumber: 1 };
  const main = entry.standsInFor === undefined ? translations[0]?.entry : entry;
  const address = addresses.urlOf((main ?? entry).route, lang);
  return direct(view.resolve(decodeURIComponent(address)));
}

function direct(match: RouteMatch): RouteMatch {
  return match.kind === "redirect" ? (match.page ?? match) : match;
}

/** The address of the final page of a redirect; null when it is not a page of the site. */
function followRedirects({ view, base }: PageLookup, target: string): string | null {
  let to = target;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const path = localPath(to, base);
    const match = path === null ? NONE : direct(view.resolve(path));
    if (match.kind === "page") return match.entry.url;
    if (match.kind === "gated") return to.replace(/[?#].*$/s, "");
    if (match.kind === "none") return null;
    to = match.to;
  }
  return null;
}

/** The decoded path of an address of this site, without query and fragment; null for any other. */
function localPath(target: string, base: string): string | null {
  const siteUrl = base.replace(/(?<!\/)\/+$/, "");
  const address = target.startsWith(`${siteUrl}/`) ? target.slice(siteUrl.length) : target;
  if (!address.startsWith("/")) return null;
  try {
    return decodeURIComponent(address.replace(/[?#].*$/s, ""));
  } catch {
    return null;
  }
}
