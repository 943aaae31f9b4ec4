import { canParseUrl } from "#kernel";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * True when a request was started by a page of this site: its `Origin` is ours, or there is none
 * and `Sec-Fetch-Site` says same-origin or none. Without either it is nobody's browser, or an old
 * one: false.
 */
export function isSameOrigin(headers: Headers, origins: ReadonlySet<string>): boolean {
  const { origin } = headers;
  if (typeof origin === "string") return origins.has(origin) || isOwnHost(origin, headers.host);
  const site = headers["sec-fetch-site"];
  return site === "same-origin" || site === "none";
}

/**
 * True when a browser says that a page of another site started the request. Who says nothing is no
 * browser that somebody else could have sent: false.
 */
export function isFromElsewhere(headers: Headers, origins: ReadonlySet<string>): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if ((origin ?? site) === undefined || isSameOrigin(headers, origins)) return false;
  // A form on a page with `Referrer-Policy: no-referrer` says `null`, and where it is from beside it.
  return !(origin === "null" && site === "same-origin");
}

/** A site reached under another name than `site.url` (localhost, a preview) is still itself. */
function isOwnHost(origin: string, host: string | string[] | undefined): boolean {
  return typeof host === "string" && canParseUrl(origin) && new URL(origin).host === host;
}
