import * as z from "zod";

/**
 * Schema of an address that the site requests or prints: http or https, without credentials, spaces or
 * fragment.
 */
export function httpUrl(): z.ZodString {
  return z
    .string()
    .refine(isHttpUrl, {
      error: "an http(s) URL without credentials",
      params: { fix: "write it as https://example.org/path" },
    })
    .meta({ format: "uri" });
}

/** True for an http(s) address without credentials, spaces, backslashes and fragment. */
export function isHttpUrl(value: string): boolean {
  if (!/^https?:\/\/[^/\s\\]/i.test(value) || /[\s\\#]/.test(value) || !canParseUrl(value))
    return false;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}

/** True for an http address of another machine: secrets must not be sent to it. */
export function isExposedUrl(value: unknown): boolean {
  if (typeof value !== "string" || !canParseUrl(value)) return false;
  return new URL(value).protocol === "http:" && !isLoopbackUrl(value);
}

/** True for an address of this machine. */
export function isLoopbackUrl(value: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(value).hostname);
}

/**
 * True when `new URL(url, base)` would not throw. `URL.canParse` of Node 20 is wrong for non-ASCII
 * letters once it is optimised: its fast path takes Latin-1 for UTF-8.
 */
export function canParseUrl(url: string, base?: string): boolean {
  try {
    return new URL(url, base).href !== "";
  } catch {
    return false;
  }
}

/** Decodes percent signs; a text with a stray one stays as it is. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const ROOTED = /^\/(?![/\\])/;

/** True for an address from the root of the site; false for one of another host. */
export function isRooted(address: string): boolean {
  return ROOTED.test(address);
}

/** Maximum length of a redirect target, in characters. */
const MAX_TARGET = 2_048;
// Control characters, space and backslash: browsers drop or rewrite them before they resolve a URL.
const UNSAFE = /[\u0000-\u0020\\\u007f-\u009f]/;

/**
 * `value` when it is a path on this site, else `/`. Used for every redirect target that comes from
 * input (`?next=`), at the time of the redirect.
 */
export function safeNext(value: unknown): string {
  if (typeof value !== "string" || value.length > MAX_TARGET || UNSAFE.test(value)) return "/";
  if (!value.startsWith("/") || value.startsWith("//")) return "/";
  if (!canParseUrl(value, "http://site.invalid")) return "/";
  const url = new URL(value, "http://site.invalid");
  const path = url.pathname + url.search + url.hash;
  return url.origin === "http://site.invalid" && !path.startsWith("//") ? path : "/";
}

/** A query string in two parts, each without `?`. */
export interface SplitQuery {
  /** Without the parameters of the names. */
  readonly rest: string;
  /** Only those. */
  readonly dropped: string;
}

/**
 * Takes the parameters of these names out of a query string; `utm_*` is every name that starts with `utm_`. Both
 * parts are unchanged otherwise.
 */
export function splitQuery(search: string, names: readonly string[]): SplitQuery {
  if (search === "") return { rest: "", dropped: "" };
  const pairs = search.split("&");
  const isDropped = pairs.map((pair) => isNamed(parseName(pair), names));
  return {
    rest: pairs.filter((_, at) => !isDropped[at]).join("&"),
    dropped: pairs.filter((_, at) => isDropped[at]).join("&"),
  };
}

function isNamed(parameter: string, names: readonly string[]): boolean {
  return names.some((name) =>
    name.endsWith("*") ? parameter.startsWith(name.slice(0, -1)) : parameter === name,
  );
}

/** The name of a parameter, without a key in brackets; as it is when it cannot be decoded. */
function parseName(pair: string): string {
  const [raw = ""] = pair.split("=", 1);
  try {
    return decodeURIComponent(raw.replaceAll("+", " "));
  } catch {
    return raw;
  }
}

/** A redirect target with the parameters that the redirect passes on. */
export function passedOn(location: string, search: string): string {
  if (search === "" || !isRooted(location)) return location;
  const [path = "", ...hash] = location.split("#");
  const query = `${path.includes("?") ? "&" : "?"}${search}`;
  return path + query + (hash.length === 0 ? "" : `#${hash.join("#")}`);
}
