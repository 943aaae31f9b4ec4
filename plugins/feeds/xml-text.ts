import { canParseUrl } from "#kernel";

// oxlint-disable-next-line no-control-regex -- XML 1.0 has no way to write them
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const HALF_PAIR = /\p{Surrogate}/gu;

/** Text without what XML has no way to write: control characters and halves of pairs. */
export function xmlChars(text: string): string {
  return text.replace(HALF_PAIR, "\ufffd").replace(NOT_XML, "");
}

/** Text that a CDATA section can hold: the end of one is written as HTML has it. */
export function xmlText(text: string): string {
  return xmlChars(text).replaceAll("]]>", "]]&gt;");
}

/** A path of the site as an absolute URL; paths are escaped where they are not yet. */
export function absoluteUrl(base: string, path: string): string {
  return new URL(belowBase(base, path), `${base}/`).href;
}

/** A path from the root of the site, which lies below the path of its base URL. */
function belowBase(base: string, path: string): string {
  return /^\/(?!\/)/.test(path) ? base.replace(/\/+$/, "") + path : path;
}

/**
 * HTML whose links and images lead to the same places when it is read elsewhere: from the root of
 * `site`, or as they stand on `page` (both absolute).
 */
export function absoluteUrls(html: string, site: string, page: string = site): string {
  return html
    .replace(/(\s(?:href|src)=")([^"]*)"/g, (all, start: string, target: string) => {
      const address = belowBase(site, target);
      return canParseUrl(address, page) ? `${start}${new URL(address, page).href}"` : all;
    })
    .replace(/\ssrcset="[^"]*"/g, "");
}
