/** Requests with `?at=`, `?rev=` or `?preview=` show the site at another moment. */
import type { Request } from "express";
import {
  HttpError,
  type Handler,
  type SiteContext,
  type Answer,
  dropParameters,
  hasCredentials,
  type AnswerFilter,
} from "#kernel";
import type { MomentOptions, Viewer } from "../../../content/contract.js";
import { mayAt, assertEverywhere } from "../../accounts/rights.js";
import type { Identities } from "../../accounts/identities.js";
import type { RouteTable } from "../../route-table.js";
import type { PreviewLink, PreviewLinks } from "../../working-copies/preview-links.js";
import type { AdminIdentity } from "../../contract.js";

/** The parameters of a moment. They are dropped from requests without access. */
const MOMENT_PARAMETERS = ["at", "rev", "preview"] as const;
const MENTIONED = /(?:^|&)(?:at|rev|preview)(?:=|&|$)/;
const PRIVATE = {
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "same-origin",
  "X-Robots-Tag": "noindex, nofollow",
};

declare module "#kernel" {
  interface RequestState {
    /** The link whose moment the request shows; null: that of its address, for an account. */
    momentLink?: PreviewLink | null;
  }
}

/** Dependencies of moments. */
interface MomentDependencies {
  site: SiteContext;
  identities: Identities;
  table: Pick<RouteTable, "covers">;
  links: PreviewLinks;
}

/**
 * Shows the site at a moment to accounts and tokens with `pages.read` for the whole site, and to those
 * who have a link. For other requests the parameters do not exist: they get the same cached response.
 */
export function mountMoments(context: MomentDependencies): void {
  const { http } = context.site;
  http.edge("answer", (req) => {
    if (!isAboutMoment(context, req)) return;
    const token = new URLSearchParams(req.ctx.search).get("preview") ?? "";
    if (token !== "") return admitLink(context, req, token);
    if (!hasCredentials(req)) dropParameters(req, MOMENT_PARAMETERS);
    return;
  });
  http.use("routes", setMoment(context));
  http.filter(privately);
}

function isAboutMoment({ table, site }: MomentDependencies, { method, ctx }: Request): boolean {
  if (ctx.search === "" || !MENTIONED.test(ctx.search)) return false;
  const isRead = method === "GET" || method === "HEAD";
  return isRead && !table.covers(ctx.path) && site.lifecycle.state() !== "starting";
}

/** Before the cached responses: a request with a link must not get one. */
async function admitLink(
  { links }: MomentDependencies,
  req: Request,
  token: string,
): Promise<boolean> {
  const link = await links.find(token);
  if (link !== null && isOfMoment(link)) {
    req.ctx.state.momentLink = link;
    req.ctx.state.viewer = { roles: null, seesUnpublished: false };
  } else if (!hasCredentials(req)) dropParameters(req, MOMENT_PARAMETERS);
  return false;
}

/** Sets the viewer, once the sender of the request is known. */
function setMoment(context: MomentDependencies): Handler {
  return async (req, _res, next) => {
    const { state } = req.ctx;
    if (!isAboutMoment(context, req)) return next();
    const identity = context.identities.of(req);
    const isAllowed = identity !== null && mayAt(identity, "pages.read", null);
    const link = state.momentLink ?? null;
    const options =
      link === null ? (isAllowed ? readMoment(req, state) : null) : linkOptions(req, link);
    if (options === null) {
      dropParameters(req, MOMENT_PARAMETERS);
      return next();
    }
    const moment = await context.site.use("content").moment(options);
    const roles = link === null ? (state.viewer?.roles ?? null) : null;
    state.viewer = { roles, seesUnpublished: false, moment } satisfies Viewer;
    return next();
  };
}

/** The moment in the address; null without one. @throws HttpError 400 for a parameter that is given twice. */
function readMoment({ ctx }: Request, state: Request["ctx"]["state"]): MomentOptions | null {
  const parameters = new URLSearchParams(ctx.search);
  const [at, rev] = [readOne(parameters, "at", state), readOne(parameters, "rev", state)];
  if (at === null && rev === null) return null;
  state.momentLink = null;
  const query = new URLSearchParams({ ...(at !== null && { at }), ...(rev !== null && { rev }) });
  return { at, rev, opens: "*", query: query.toString().replaceAll("%3A", ":") };
}

function readOne(
  parameters: URLSearchParams,
  name: "at" | "rev",
  state: Request["ctx"]["state"],
): string | null {
  const values = parameters.getAll(name).filter((value) => value !== "");
  if (values.length < 2) return values[0] ?? null;
  state.momentLink = null;
  throw new HttpError(400, `${name}: expected one value, received ${values.length}`);
}

function linkOptions({ ctx }: Request, { at, rev, path }: PreviewLink): MomentOptions {
  const token = new URLSearchParams(ctx.search).get("preview") ?? "";
  return { at, rev, opens: path, query: `preview=${token}` };
}

/** True for a link to the site at a moment, not to a page with its working copy. */
export function isOfMoment({ at, rev }: PreviewLink): boolean {
  return at !== null || rev !== null;
}

/** No cache stores such a response, and no search engine lists it. */
const privately: AnswerFilter = (req, _res, answer) => {
  const { momentLink } = req.ctx.state;
  if (momentLink === undefined) return;
  answer.headers = { ...answer.headers, ...PRIVATE };
  answer.cache = { ...answer.cache, private: true };
};

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
