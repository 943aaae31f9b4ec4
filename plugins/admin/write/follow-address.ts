import { HttpError, type SiteContext } from "#kernel";
import type { RouteMatch } from "../../content/contract.js";

/** Redirects that a browser follows at most. */
const MAX_STEPS = 20;

/** A redirect on the way. */
interface Step {
  readonly from: string;
  readonly location: string;
  readonly status: number;
}
/** Where an address leads. */
export interface FollowedAddress {
  readonly steps: readonly Step[];
  readonly end: "page" | "restricted" | "file" | "route" | "outside" | "loop" | "nothing";
  readonly address: string;
  readonly sourcePath: string | null;
}

/**
 * Follows the redirects of an address as an anonymous visitor's browser does; requests nothing.
 * @throws HttpError 400 for what is no address on this site.
 */
export function followed(site: SiteContext, given: string): FollowedAddress {
  const steps: Step[] = [];
  let address = pathIn(site, given);
  while (steps.length < MAX_STEPS) {
    const match = matchOf(site, address);
    if (match.kind !== "redirect") return { steps, address, ...endOf(site, address, match) };
    const isSeen = steps.some(({ from }) => from === address);
    if (isSeen) break;
    steps.push({ from: address, location: match.to, status: match.status });
    address = match.to;
    if (!address.startsWith("/")) return { steps, address, end: "outside", sourcePath: null };
  }
  return { steps, address, end: "loop", sourcePath: null };
}

/** Declared routes come before pages, redirects too. */
function matchOf(site: SiteContext, address: string): RouteMatch {
  const content = site.use("content");
  const path = decoded(address);
  const search = /\?([^#]*)/.exec(address)?.[1];
  return content.claimOf(path) === null ? content.view().resolve(path, search) : { kind: "none" };
}

// oxlint-disable-next-line max-params -- the site, and an address with what it matches
function endOf(
  site: SiteContext,
  address: string,
  match: RouteMatch,
): Pick<FollowedAddress, "end" | "sourcePath"> {
  if (match.kind === "page") return { end: "page", sourcePath: match.entry.sourcePath };
  if (match.kind === "gated") return { end: "restricted", sourcePath: match.entry.sourcePath };
  if (site.use("content").claimOf(decoded(address)) !== null) {
    return { end: "route", sourcePath: null };
  }
  const isFile = /\.[A-Za-z0-9]+$/.test(decoded(address));
  return { end: isFile ? "file" : "nothing", sourcePath: null };
}

/** The path of an address: below the site, or with its origin. */
function pathIn(site: SiteContext, given: string): string {
  const { url } = site.settings.site;
  const text = given.startsWith(`${url}/`) ? given.slice(url.length) : given;
  if (/^\/(?![/\\])[^\s\\]*$/.test(text)) return text;
  throw new HttpError(
    400,
    `address ${JSON.stringify(given.slice(0, 200))} is not on this site; start it with a slash`,
  );
}

/** As requests are matched: without query and fragment, decoded. */
function decoded(address: string): string {
  const path = address.replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
