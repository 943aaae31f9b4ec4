import { canParseUrl } from "#lib/urls";

/** Routes (decoded) and URLs (percent-encoded). */

const ENCODED_DELIMITERS = /%(?:40|3A|24|26|2B|2C|3B|3D)/g;

/** One path segment for a URL; what RFC 3986 section 3.3 allows in a segment stays readable. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(wellFormed(segment)).replace(ENCODED_DELIMITERS, (code) =>
    decodeURIComponent(code),
  );
}

/** A decoded path (`/a b/ü`) as the path of a URL. */
export function encodePath(path: string): string {
  return /^[\w/.-]*$/.test(path) ? path : path.split("/").map(encodeSegment).join("/");
}

/** The route below a parent route. */
export function joinRoute(parent: string, segment: string): string {
  return parent === "/" ? `/${segment}` : `${parent}/${segment}`;
}

/** Normalises a route from configuration or front matter: one leading slash, no trailing slash. */
export function normaliseRoute(text: string): string {
  const segments = text
    .normalize("NFC")
    .split("/")
    .filter((segment) => segment !== "");
  return `/${segments.join("/")}`;
}

/** An address of the configuration, percent-encoded or not, as a route. */
export function toRoute(address: string): string {
  try {
    return normaliseRoute(decodeURIComponent(address));
  } catch (error) {
    // A stray % is kept as it is.
    if (error instanceof URIError) return normaliseRoute(address);
    throw error;
  }
}

/**
 * A redirect target as a `Location`: a path on this site or an http(s) URL; null for anything else
 * (other schemes, `//host`, control characters).
 */
export function toLocation(target: string): string | null {
  // oxlint-disable-next-line no-control-regex -- a line break here would be a second header
  if (/[\u0000-\u001f\u007f\\]/.test(target)) return null;
  if (/^https?:\/\//i.test(target)) return canParseUrl(target) ? new URL(target).href : null;
  if (!target.startsWith("/") || target.startsWith("//")) return null;
  return wellFormed(target)
    .replace(/%(?![\da-fA-F]{2})/g, "%25")
    .replace(/[^\u0021-\u007e]+|["<>^`{|}]/g, (characters) => encodeURIComponent(characters));
}

/** Removes lone surrogates, which cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** The rules for languages in URLs. */
export interface LanguageRules {
  languages: readonly string[];
  defaultLanguage: string;
  includeDefaultInUrl: boolean;
}

/** The URL prefix of a language: `/de`, or empty. */
export function languagePrefix(lang: string, rules: LanguageRules): string {
  const { languages, defaultLanguage, includeDefaultInUrl } = rules;
  const isBare = languages.length < 2 || (lang === defaultLanguage && !includeDefaultInUrl);
  return isBare ? "" : `/${lang}`;
}

/** The public address of a route in a language, percent-encoded. */
export function toUrl(route: string, lang: string, rules: LanguageRules): string {
  const prefix = languagePrefix(lang, rules);
  return route === "/" ? prefix || "/" : prefix + encodePath(route);
}
