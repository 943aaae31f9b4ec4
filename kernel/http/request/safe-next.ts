import { canParseUrl } from "#lib/urls";

/** Maximum length of a redirect target, in characters. */
const MAX_LENGTH = 2_048;
// Control characters, space and backslash: browsers drop or rewrite them before they resolve a URL.
const UNSAFE = /[\u0000-\u0020\\\u007f-\u009f]/;

/**
 * `value` when it is a path on this site, else `/`. Used for every redirect target that comes from
 * input (`?next=`), at the time of the redirect.
 */
export function safeNext(value: unknown): string {
  if (typeof value !== "string" || value.length > MAX_LENGTH || UNSAFE.test(value)) return "/";
  if (!value.startsWith("/") || value.startsWith("//")) return "/";
  if (!canParseUrl(value, "http://site.invalid")) return "/";
  const url = new URL(value, "http://site.invalid");
  const path = url.pathname + url.search + url.hash;
  return url.origin === "http://site.invalid" && !path.startsWith("//") ? path : "/";
}
