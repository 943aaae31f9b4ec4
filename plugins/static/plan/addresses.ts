import { canParseUrl } from "#lib/urls";
import { imageFormatOf } from "#lib/files";
import { SitePath } from "#kernel";
import { staticError } from "../errors.js";

/** The URL at which an export will be served. */
export interface BaseAddress {
  /** Absolute, without a trailing slash. */
  readonly baseUrl: string;
  /** Path of `baseUrl`: empty or `/docs`. */
  readonly prefix: string;
}

/** A parsed address of this site. */
export interface OwnAddress {
  /** Encoded as in a URL, from the root of the site. */
  path: string;
  /** With `?`, or empty. */
  query: string;
  /** With `#`, or empty. */
  hash: string;
}

const VARIANT = ["width", "height", "quality", "format", "fit", "focal"] as const;
const SHORT: Readonly<Record<string, string>> = { width: "w", height: "h", quality: "q" };
const EXTENSIONS: Readonly<Record<string, string>> = { jpeg: "jpg" };

/** Splits a base URL into its origin and the prefix of its paths. */
export function parseBaseUrl(baseUrl: string): BaseAddress {
  const bare = baseUrl.replace(/(?<!\/)\/+$/, "");
  return { baseUrl: bare, prefix: new SitePath(bare).prefix };
}

/**
 * Resolves a public address, as the server sends it, on the page at `page` (path as in a URL, from the root
 * of the site); null for other sites, other schemes, fragments of the same page and invalid URLs.
 */
export function ownAddress(
  value: string,
  page: string,
  siteAddress: BaseAddress,
): OwnAddress | null {
  const text = value.trim();
  if (text === "" || text.startsWith("#") || text.startsWith("//")) return null;
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return ownAbsolute(text, siteAddress);
  const base = new URL(siteAddress.prefix + page, "http://site.invalid");
  if (!canParseUrl(text, base.href)) return null;
  const url = new URL(text, base);
  if (url.host !== "site.invalid" || !isBelow(url.pathname, siteAddress.prefix)) return null;
  return { path: insidePath(url.pathname, siteAddress), query: url.search, hash: url.hash };
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function insidePath(path: string, { prefix }: BaseAddress): string {
  return path.slice(prefix.length) || "/";
}

function ownAbsolute(text: string, siteAddress: BaseAddress): OwnAddress | null {
  const { baseUrl } = siteAddress;
  if (text !== baseUrl && !/^[/?#]/.test(text.slice(baseUrl.length))) return null;
  if (!text.startsWith(baseUrl)) return null;
  const url = new URL(text);
  return { path: insidePath(url.pathname, siteAddress), query: url.search, hash: url.hash };
}

/**
 * The path under which a static host can serve an image variant that the server selects by query
 * string: `/a/cover.jpg?width=320` becomes `/a/cover.w320.jpg`. Null when it is not a variant.
 */
export function variantPath({ path, query }: Omit<OwnAddress, "hash">): string | null {
  if (query === "" || imageFormatOf(path) === null) return null;
  const parameters = new URLSearchParams(query);
  const steps = VARIANT.flatMap((name) => {
    const value = name === "format" ? null : parameters.get(name);
    return value === null ? [] : [`${SHORT[name] ?? ""}${value.replace(/[^\w-]+/g, "-")}`];
  });
  const format = parameters.get("format");
  if (steps.length === 0 && format === null) return null;
  const dot = path.lastIndexOf(".");
  const extension = path.slice(dot + 1);
  const ending = format === null ? extension : (EXTENSIONS[format] ?? format.replace(/\W+/g, ""));
  // The original extension stays in the name, because `a.png` and `a.jpg` may both exist.
  const stem = ending === extension ? path.slice(0, dot) : path;
  return `${stem}${steps.length === 0 ? "" : `.${steps.join("-")}`}.${ending}`;
}

/** Maximum length of a file name in bytes, for common file systems. */
const MAX_NAME = 255;

/**
 * File of an address below the export's folder. Pages are folders with an `index.html`, so that
 * every host finds `/blog/hello`; other files keep their path. Null for responses that no host
 * could serve: not a page, at an address without an extension.
 * @throws ERR_STATIC_WRITE for names that a file system does not accept.
 */
export function outputPath(url: string, type: string): string | null {
  const segments = decodeURIComponent(url).normalize("NFC").split("/").slice(1);
  if (segments.at(-1) === "") segments.pop();
  assertNames(segments, url);
  const name = segments.at(-1) ?? "";
  if (!isPage(type)) return /.\.[A-Za-z0-9]+$/.test(name) ? segments.join("/") : null;
  return /.\.html?$/i.test(name) ? segments.join("/") : [...segments, "index.html"].join("/");
}

/** True for documents that a browser shows as a page. */
export function isPage(type: string): boolean {
  return type.startsWith("text/html");
}

function assertNames(segments: readonly string[], url: string): void {
  for (const segment of segments) {
    const isHidden = segment === "" || segment === "." || segment === "..";
    if (isHidden || /[\0\\]/.test(segment) || Buffer.byteLength(segment) > MAX_NAME) {
      throw staticError("ERR_STATIC_WRITE", `${JSON.stringify(url)} is no name for a file`, {
        fix: "give the page a shorter, plainer slug",
      });
    }
  }
}

// Fast path: nothing to strip or decode in most addresses.
const PLAIN = /^\/(?:[\w./-]*[\w.-])?$/;

/** Normalizes a path for comparison: decoded, without a trailing slash. */
export function pageKey(url: string): string {
  if (PLAIN.test(url)) return url;
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const bare = path.length > 1 ? path.replace(/(?<!\/)\/+$/, "") : path;
  return decode(bare).normalize("NFC") || "/";
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
