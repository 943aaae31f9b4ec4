import { canParseUrl } from "#lib/urls";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * True when a page of this site started the request: its `Origin` is ours, or it is absent and
 * `Sec-Fetch-Site` is same-origin or none. False without either header (not a browser, or an old
 * one).
 */
export function isSameOrigin(headers: Headers, origins: ReadonlySet<string>): boolean {
  const { origin } = headers;
  if (typeof origin === "string") return origins.has(origin) || isOwnHost(origin, headers.host);
  const site = headers["sec-fetch-site"];
  return site === "same-origin" || site === "none";
}

/**
 * True when the browser reports that another site started the request. False without these headers:
 * such a client is not a browser that another site could control.
 */
export function isFromElsewhere(headers: Headers, origins: ReadonlySet<string>): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if ((origin ?? site) === undefined || isSameOrigin(headers, origins)) return false;
  // A form on a page with `Referrer-Policy: no-referrer` sends `Origin: null`, and its site in
  // `Sec-Fetch-Site`.
  return !(origin === "null" && site === "same-origin");
}

/** The headers by which a request was judged, as a part of an error message. `url`: the origin of `site.url`. */
export function senderOf({ origin, "sec-fetch-site": site }: Headers, url: string): string {
  const value = (header: string | string[]): string => JSON.stringify(String(header).slice(0, 128));
  if (origin) return `Origin is ${value(origin)}, \`url\` of this site is ${value(url)}`;
  if (site) return `Sec-Fetch-Site is ${value(site)}`;
  return "neither Origin nor Sec-Fetch-Site was sent";
}

/** A site reached by another name than `site.url` (localhost, a preview) is still the same site. */
function isOwnHost(origin: string, host: string | string[] | undefined): boolean {
  return typeof host === "string" && canParseUrl(origin) && new URL(origin).host === host;
}
