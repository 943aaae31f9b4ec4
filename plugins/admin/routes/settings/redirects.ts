import { variableName } from "#lib/schema";
import { HttpError, type SiteContext } from "#kernel";
import {
  ifMatch,
  note,
  notFound,
  selected,
  type AdminContext,
  type IdentifiedRequest,
} from "../admin-context.js";
import type { RouteMatch } from "../../../content/contract.js";
import { settingsApi } from "../../schemas/settings.js";

const LIMIT = 32_768;

/** Redirects of site.yaml; changes act at once. */
export function redirectRoutes(context: AdminContext): void {
  addReads(context);
  addWrites(context);
}

function addReads(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/redirects",
    permission: "config.read",
    summary: "Redirects in the order of site.yaml, with what is wrong with them",
    responses: settingsApi["GET /redirects"].responses,
    handler: async (req, res) => {
      const { current } = redirectsOf(context);
      const items = Object.entries(current).map(([from, location]) => ({
        from,
        location,
        problem: findProblem(context, from),
      }));
      const { hash } = await site.configFiles.read("site");
      const status = site.settings.site.redirect_status;
      const headers = { ETag: `"${hash}"` };
      await site.http.json(req, res, { items, total: items.length, status, hash }, { headers });
    },
  });
  admin.route({
    method: "get",
    path: "/redirects/test",
    permission: "config.read",
    summary: "Where an address leads an anonymous visitor",
    responses: settingsApi["GET /redirects/test"].responses,
    query: settingsApi["GET /redirects/test"].query,
    handler: (req, res, { query }) => site.http.json(req, res, followed(site, query.address)),
  });
}

function addWrites(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "post",
    path: "/redirects",
    permission: "redirects.update",
    summary: "Add a redirect; loops and invalid addresses are rejected",
    responses: settingsApi["POST /redirects"].responses,
    body: { as: "json", limit: LIMIT, schema: settingsApi["POST /redirects"].body },
    handler: async (req, res, { body: { from, location }, identity }) => {
      assertWritten(location);
      assertFree(context, from);
      const hash = await change(context, { req, identity }, { [from]: location });
      await site.http.json(req, res, { from, location, hash });
    },
  });
  admin.route({
    method: "patch",
    path: "/redirects",
    permission: "redirects.update",
    summary: "Change the addresses of a redirect",
    responses: settingsApi["PATCH /redirects"].responses,
    body: { as: "json", limit: LIMIT, schema: settingsApi["PATCH /redirects"].body },
    handler: async (req, res, { body: { was, from, location }, identity }) => {
      assertWritten(location);
      assertKnown(context, was);
      if (was !== from) assertFree(context, from, was);
      const changes = was === from ? { [from]: location } : { [was]: null, [from]: location };
      const hash = await change(context, { req, identity }, changes);
      await site.http.json(req, res, { from, location, hash });
    },
  });
  admin.route({
    method: "delete",
    path: "/redirects",
    permission: "redirects.update",
    summary: "Remove a redirect",
    responses: settingsApi["DELETE /redirects"].responses,
    query: settingsApi["DELETE /redirects"].query,
    handler: async (req, res, { query: { from }, identity }) => {
      assertKnown(context, from);
      const hash = await change(context, { req, identity }, { [from]: null });
      await site.http.json(req, res, { removed: true, hash });
    },
  });
}

async function change(
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  changes: Readonly<Record<string, string | null>>,
): Promise<string> {
  const ifHash = ifMatch(req);
  const options = ifHash === undefined ? {} : { ifHash };
  const hash = await redirectsOf(context).change(changes, options);
  for (const [from, location] of Object.entries(changes)) {
    const event = location === null ? "redirect.delete" : "redirect.set";
    const target = { type: "redirect", id: from };
    const detail = location === null ? {} : { location };
    note(context, req, { event, actor: identity, target, detail });
  }
  return hash;
}

function redirectsOf({ site }: AdminContext) {
  return selected(site.use("check", { optional: true }), "check").redirects;
}

/** The message of the content check about a redirect; null without one. */
function findProblem({ site }: AdminContext, from: string): string | null {
  const start = `redirects[${JSON.stringify(from)}]: `;
  const problem = site
    .use("content")
    .problems()
    .find(({ message }) => message.startsWith(start));
  return problem?.message.slice(start.length) ?? null;
}

/**
 * A variable may hold a secret, which the redirect would show.
 * @throws HttpError 400.
 */
function assertWritten(location: string): void {
  if (variableName(location) === null) return;
  const shown = JSON.stringify(location);
  throw new HttpError(400, `location: ${shown} is a variable; write the address itself`);
}

function assertKnown(context: AdminContext, from: string): void {
  if (Object.hasOwn(redirectsOf(context).current, from)) return;
  throw notFound(`there is no redirect from ${JSON.stringify(from)}`);
}

/**
 * Case counts; a slash at the end and the spelling with percent signs do not.
 * @throws HttpError 409 naming the redirect that the address has.
 */
function assertFree(context: AdminContext, from: string, was?: string): void {
  const { redirectKey, redirectProblem } = context.site.use("content").addresses;
  // The change is rejected with the reason.
  if (redirectProblem(from, "/") !== null) return;
  const key = redirectKey(from);
  const taken = Object.entries(redirectsOf(context).current).find(
    ([listed]) => listed !== was && redirectKey(listed) === key,
  );
  if (taken === undefined) return;
  const [listed, location] = taken.map((one) => JSON.stringify(one));
  throw new HttpError(409, `${listed} already redirects to ${location}; change that redirect`, {
    code: "ERR_ADMIN_CONFLICT",
  });
}

/** Redirects that a browser follows at most. */
const MAX_STEPS = 20;

/** A redirect on the way. */
interface Step {
  readonly from: string;
  readonly location: string;
  readonly status: number;
}
/** The way of an address, and its end. */
interface FollowedAddress {
  readonly steps: readonly Step[];
  readonly end: "page" | "restricted" | "file" | "route" | "outside" | "loop" | "nothing";
  readonly address: string;
  readonly sourcePath: string | null;
}

/**
 * Follows the redirects of an address as an anonymous visitor's browser does; requests nothing.
 * @throws HttpError 400 for what is no address on this site.
 */
function followed(site: SiteContext, start: string): FollowedAddress {
  const steps: Step[] = [];
  let address = toSitePath(site, start);
  while (steps.length < MAX_STEPS) {
    const match = findMatch(site, address);
    if (match.kind !== "redirect") return { steps, address, ...findEnd(site, address, match) };
    const isSeen = steps.some(({ from }) => from === address);
    if (isSeen) break;
    steps.push({ from: address, location: match.to, status: match.status });
    address = match.to;
    if (!address.startsWith("/")) return { steps, address, end: "outside", sourcePath: null };
  }
  return { steps, address, end: "loop", sourcePath: null };
}

/** Declared routes come before pages, redirects too. */
function findMatch(site: SiteContext, address: string): RouteMatch {
  const content = site.use("content");
  const path = decoded(address);
  const search = /\?([^#]*)/.exec(address)?.[1];
  return content.claimOf(path) === null ? content.view().resolve(path, search) : { kind: "none" };
}

function findEnd(
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
function toSitePath(site: SiteContext, address: string): string {
  const { url } = site.settings.site;
  const text = address.startsWith(`${url}/`) ? address.slice(url.length) : address;
  if (/^\/(?![/\\])[^\s\\]*$/.test(text)) return text;
  throw new HttpError(
    400,
    `address ${JSON.stringify(address.slice(0, 200))} is not on this site; start it with a slash`,
  );
}

/** Drops query and fragment and decodes the path, as requests are matched. */
function decoded(address: string): string {
  const path = address.replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
