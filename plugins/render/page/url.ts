import type { SiteError } from "#kernel";
import { renderFailure } from "../errors.js";
import type { LanguagesSection } from "../../content/contract.js";

const ESCAPED_TOO_MUCH = /%(?:3A|40|21|24|27|28|29|2A|2B|2C|3B|3D)/g;
// Needs encoding in a Location header: anything but visible ASCII, and an incomplete `%` sequence.
const UNSAFE = /[^\x21-\x7e]+|["<>\\^`{|}]|%(?![0-9A-Fa-f]{2})/g;
// Needs no encoding.
const PLAIN_PATH = /^[A-Za-z0-9\-_.~!*'():@$+,;=/]*$/;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Encodes a path for an attribute or header: `/über uns` to `/%C3%BCber%20uns`. */
export function encodePath(path: string): string {
  if (PLAIN_PATH.test(path)) return path;
  return path
    .replace(LONE_SURROGATE, "\ufffd")
    .split("/")
    .map((segment) => encodeURIComponent(segment).replace(ESCAPED_TOO_MUCH, decodeURIComponent))
    .join("/");
}

/**
 * The target of a redirect: a path of this site (never `//host`), or an http(s) URL.
 * @throws ERR_REDIRECT_TARGET for other schemes and control characters.
 */
export function redirectTarget(to: string, search: string): string {
  const target = to.trim();
  if (/[\u0000-\u001f\u007f]/.test(target)) throw refused(to);
  const location = target.replace(LONE_SURROGATE, "\ufffd").replace(UNSAFE, encodeURIComponent);
  if (/^https?:\/\/[^/]/i.test(location)) return location;
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) throw refused(to);
  const path = `/${location.replace(/^(?:\/|%5C)+/i, "")}`;
  return search === "" || path.includes("?") ? path : withSearch(path, search);
}

function withSearch(path: string, search: string): string {
  const [before = "", ...hash] = path.split("#");
  const query = search.replace(UNSAFE, encodeURIComponent);
  return `${before}?${query}${hash.length === 0 ? "" : `#${hash.join("#")}`}`;
}

function refused(to: string): SiteError {
  return renderFailure("ERR_REDIRECT_TARGET", `cannot redirect to ${JSON.stringify(to)}`, {
    fix: "use a path that starts with / or an http(s) URL",
  });
}

/** The language in the first segment of a path, else the default one. */
export function parseLanguage(path: string, languages: LanguagesSection): string {
  const first = path.split("/")[1] ?? "";
  return languages.supported.includes(first) ? first : languages.default;
}

/**
 * Adds the prefix of a language, by default `own`, to routes; URLs, fragments and files stay unchanged. Addresses that
 * begin with one of several `languages` have their prefix: no route does.
 */
export function hrefBelow(
  language: string,
  prefixOf: (lang: string) => string,
  languages: readonly string[] = [],
): (route: string, lang?: string) => string {
  const ownPrefix = prefixOf(language);
  const prefixed = new Set(languages.length > 1 ? languages : []);
  return (route, lang) => {
    if (!route.startsWith("/") || route.startsWith("//")) return route;
    if (prefixed.size > 0 && prefixed.has(route.split("/", 2)[1] ?? "")) return encodePath(route);
    const prefix = lang === undefined ? ownPrefix : prefixOf(lang);
    return route === "/" ? prefix || "/" : encodePath(prefix + route);
  };
}

/**
 * An address that an author wrote, in the language of the page: `href` of the template's props encodes its
 * path; query and fragment stay as they are.
 */
export function addressIn(href: (route: string) => string, url: string): string {
  const at = url.search(/[?#]/);
  return at === -1 ? href(url) : href(url.slice(0, at)) + url.slice(at);
}

/** Address of the search page for a query. */
export function getSearchUrl(query: string, base = "/search"): string {
  return `${base}?q=${encodeURIComponent(query)}`;
}
