/** Links that show the site at a moment. */
import { HttpError, type Answer, type SiteContext } from "#kernel";
import { assertEverywhere } from "../accounts/path-rights.js";
import type { AdminIdentity } from "../contract.js";
import type { PreviewLink } from "./preview-links.js";

type Shown = Pick<PreviewLink, "path" | "at" | "rev">;

/**
 * The link opens the whole site at the moment, also what was deleted since.
 * @throws HttpError 403 without `pages.read` for the whole site, 404 when the page is not public then.
 */
export async function assertShown(
  site: SiteContext,
  identity: AdminIdentity,
  shows: Shown,
): Promise<void> {
  assertEverywhere(identity, "pages.read");
  if ((await addressAt(site, shows, "")) !== null) return;
  const { path } = shows;
  const message = `the page ${JSON.stringify(path)} is not public at this moment; choose another page or moment`;
  throw new HttpError(404, message);
}

/** The address of a page at a moment, which leads to the moment; null when it is not public then. */
async function addressAt(
  site: SiteContext,
  { path, at, rev }: Shown,
  query: string,
): Promise<string | null> {
  const content = site.use("content");
  const moment = await content.moment({ at, rev, opens: path, query });
  const view = content.view({ roles: null, seesUnpublished: false, moment });
  const entry = moment.generation().bySource.get(path);
  if (entry === undefined || !entry.routable || !view.canSee(entry)) return null;
  return `${entry.url}?${query}`;
}

/**
 * Leads to the page of a link, at its moment.
 * @throws HttpError 404 when the page is no longer public then.
 */
export async function toMoment(site: SiteContext, link: Shown, token: string): Promise<Answer> {
  const to = await addressAt(site, link, `preview=${token}`);
  if (to === null) throw new HttpError(404, "Not found");
  const headers = {
    Location: to,
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
  };
  const type = "text/plain; charset=utf-8";
  return { status: 302, type, body: "", headers, cache: { private: true } };
}
