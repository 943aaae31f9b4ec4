import { canParseUrl } from "#lib/urls";

// oxlint-disable-next-line no-control-regex -- XML 1.0 has no way to write them
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const HALF_PAIR = /\p{Surrogate}/gu;

/** Removes characters that XML cannot contain: control characters and lone surrogates. */
export function xmlChars(text: string): string {
  return text.replace(HALF_PAIR, "\ufffd").replace(NOT_XML, "");
}

/** Text for a CDATA section; escapes the end marker. */
export function xmlText(text: string): string {
  return xmlChars(text).replaceAll("]]>", "]]&gt;");
}

/** Converts a path of the site to an absolute URL, escaping it where necessary. */
export function absoluteUrl(base: string, path: string): string {
  return new URL(belowBase(base, path), `${base}/`).href;
}

/** Prefixes a root-relative path with the path of the site's base URL. */
function belowBase(base: string, path: string): string {
  return /^\/(?!\/)/.test(path) ? base.replace(/(?<!\/)\/+$/, "") + path : path;
}

/**
 * Makes links and images in HTML absolute: relative to the root of `site`, or to `page` (both
 * absolute).
 */
export function absoluteUrls(html: string, site: string, page: string = site): string {
  return html
    .replace(/(\s(?:href|src)=")([^"]*)"/g, (all, start: string, target: string) => {
      const address = belowBase(site, target);
      return canParseUrl(address, page) ? `${start}${new URL(address, page).href}"` : all;
    })
    .replace(/\ssrcset="[^"]*"/g, "");
}
