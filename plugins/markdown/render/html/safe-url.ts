const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const LINK_SCHEMES = new Set(["http", "https", "mailto", "tel"]);
const SOURCE_SCHEMES = new Set(["http", "https"]);

/** The use of a URL: a link to follow, or a source that the browser loads. */
export type UrlUse = "link" | "source";

/**
 * A URL as a browser parses it (WHATWG: without tabs and newlines, without C0 controls and spaces
 * at the ends), its scheme in lower case; null for a disallowed scheme.
 */
export function safeUrl(value: string, use: UrlUse): string | null {
  const url = browserUrl(value);
  const scheme = SCHEME.exec(url)?.[1];
  if (scheme === undefined) return beforeColonIsPath(url) ? url : null;
  const lower = scheme.toLowerCase();
  const allowed = use === "link" ? LINK_SCHEMES : SOURCE_SCHEMES;
  return allowed.has(lower) ? lower + url.slice(scheme.length) : null;
}

/** True for a URL within this site: no scheme, no host, not only a fragment or query. */
export function isLocalReference(value: string): boolean {
  const url = browserUrl(value);
  return url !== "" && !/^(?:[#?]|[/\\]{2}|[a-z][a-z0-9+.-]*:)/i.test(url);
}

/** True when the URL leads to another site. */
export function isExternal(url: string): boolean {
  return /^(?:https?:|[/\\]{2})/i.test(browserUrl(url));
}

function browserUrl(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && value.charCodeAt(start) <= 0x20) start += 1;
  while (end > start && value.charCodeAt(end - 1) <= 0x20) end -= 1;
  return value.slice(start, end).replace(/[\t\n\r]/g, "");
}

function beforeColonIsPath(url: string): boolean {
  const colon = url.indexOf(":");
  return colon < 0 || /[/?#]/.test(url.slice(0, colon));
}

/** A candidate of a `srcset`: URL and width or density. */
interface SrcsetCandidate {
  url: string;
  descriptor: string;
}

/** Parses a `srcset` (HTML 4.8.4.2.1, without parentheses in descriptors). */
export function parseSrcset(value: string): SrcsetCandidate[] {
  const candidates: SrcsetCandidate[] = [];
  let open: SrcsetCandidate | null = null;
  for (const word of value.split(/[\t\n\f\r ]+/)) {
    const text = word.replace(/^,+/, "");
    if (text.length < word.length) open = null;
    if (text === "") continue;
    const bare = text.endsWith(",") ? text.slice(0, text.search(/(?<!,),+$/)) : text;
    if (open === null) {
      open = { url: bare, descriptor: "" };
      candidates.push(open);
    } else if (open.descriptor === "") {
      open.descriptor = bare;
    }
    if (bare.length < text.length) open = null;
  }
  return candidates;
}

/** Maps the URLs of a `srcset`; omits candidates with unsafe URLs. */
export function mapSrcset(value: string, map: (url: string) => string): string {
  return parseSrcset(value)
    .map(({ url, descriptor }) => ({ url: safeUrl(map(url), "source"), descriptor }))
    .filter(({ url, descriptor }) => url !== null && /^(?:\d+(?:\.\d+)?[wx])?$/.test(descriptor))
    .map(({ url, descriptor }) => `${url} ${descriptor}`.trim())
    .join(", ");
}
