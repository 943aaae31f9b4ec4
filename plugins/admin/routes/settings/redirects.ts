import type { Request } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import { variableName } from "#kernel/internal";
import type { AdminIdentity } from "../../contract.js";
import { followed } from "../../write/follow-address.js";
import { ifMatch, note, notFound, selected, type RouteParts } from "../route-parts.js";

const LIMIT = 32_768;
const text = z.string();
const address = text.min(1).max(2048);
const error = z.object({ error: text, details: z.array(z.unknown()).optional() });
const redirect = z
  .object({
    from: text.describe("Old address"),
    location: text.describe("New address"),
    problem: text.nullable().describe("Why it does not help, null when it does"),
  })
  .meta({ id: "Redirect", description: "A redirect of site.yaml" });
const changed = { 200: z.object({ from: text, location: text, hash: text }), 409: error };
const list = z.object({
  items: z.array(redirect),
  total: z.int(),
  hash: text.describe("Of site.yaml: the `ETag`"),
  status: z.union([z.literal(301), z.literal(302)]),
});
const step = z.object({ from: text, location: text, status: z.int() });
const tried = z.object({
  steps: z.array(step).describe("The redirects on the way"),
  end: z.enum(["page", "restricted", "file", "route", "outside", "loop", "nothing"]),
  address: text.describe("Where the way ends"),
  sourcePath: text.nullable().describe("Of the page at the end"),
});
const body = z.object({ from: address, location: address });
const edited = body.extend({ was: address.describe("The old address before the change") });

/** Redirects of site.yaml; changes act at once. */
export function redirectRoutes(parts: RouteParts): void {
  addReads(parts);
  addWrites(parts);
}

function addReads(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "get",
    path: "/redirects",
    permission: "config.read",
    summary: "Redirects in the order of site.yaml, with what is wrong with them",
    responses: { 200: list, 404: error },
    handler: async (req, res) => {
      const { current } = redirectsOf(parts);
      const items = Object.entries(current).map(([from, location]) => ({
        from,
        location,
        problem: problemOf(parts, from),
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
    responses: { 200: tried, 400: error },
    query: z.object({ address }),
    handler: (req, res, { query }) => site.http.json(req, res, followed(site, query.address)),
  });
}

function addWrites(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "post",
    path: "/redirects",
    permission: "redirects.update",
    summary: "Add a redirect; loops and invalid addresses are rejected",
    responses: { ...changed, 404: error },
    body: { as: "json", limit: LIMIT, schema: body },
    handler: async (req, res, { body: { from, location }, identity }) => {
      assertWritten(location);
      assertFree(parts, from);
      const hash = await change(parts, { req, identity }, { [from]: location });
      await site.http.json(req, res, { from, location, hash });
    },
  });
  admin.route({
    method: "patch",
    path: "/redirects",
    permission: "redirects.update",
    summary: "Change the addresses of a redirect",
    responses: { ...changed, 404: error },
    body: { as: "json", limit: LIMIT, schema: edited },
    handler: async (req, res, { body: { was, from, location }, identity }) => {
      assertWritten(location);
      assertKnown(parts, was);
      if (was !== from) assertFree(parts, from, was);
      const changes = was === from ? { [from]: location } : { [was]: null, [from]: location };
      const hash = await change(parts, { req, identity }, changes);
      await site.http.json(req, res, { from, location, hash });
    },
  });
  admin.route({
    method: "delete",
    path: "/redirects",
    permission: "redirects.update",
    summary: "Remove a redirect",
    responses: { 200: z.object({ removed: z.literal(true), hash: text }), 404: error, 409: error },
    query: z.object({ from: address }),
    handler: async (req, res, { query: { from }, identity }) => {
      assertKnown(parts, from);
      const hash = await change(parts, { req, identity }, { [from]: null });
      await site.http.json(req, res, { removed: true, hash });
    },
  });
}

async function change(
  parts: RouteParts,
  { req, identity }: { req: Request; identity: AdminIdentity },
  changes: Readonly<Record<string, string | null>>,
): Promise<string> {
  const ifHash = ifMatch(req);
  const options = ifHash === undefined ? {} : { ifHash };
  const hash = await redirectsOf(parts).change(changes, options);
  for (const [from, location] of Object.entries(changes)) {
    const event = location === null ? "redirect.delete" : "redirect.set";
    const target = { type: "redirect", id: from };
    const detail = location === null ? {} : { location };
    note(parts, req, { event, actor: identity, target, detail });
  }
  return hash;
}

function redirectsOf({ site }: RouteParts) {
  return selected(site.use("check", { optional: true }), "check").redirects;
}

/** What the check of the content says about a redirect. */
function problemOf({ site }: RouteParts, from: string): string | null {
  const start = `redirects[${JSON.stringify(from)}]: `;
  const found = site
    .use("content")
    .problems()
    .find(({ message }) => message.startsWith(start));
  return found?.message.slice(start.length) ?? null;
}

/**
 * A variable may hold a secret, which the redirect would show.
 * @throws HttpError 400.
 */
function assertWritten(location: string): void {
  if (variableName(location) === null) return;
  const given = JSON.stringify(location);
  throw new HttpError(400, `location: ${given} is a variable; write the address itself`);
}

function assertKnown(parts: RouteParts, from: string): void {
  if (Object.hasOwn(redirectsOf(parts).current, from)) return;
  throw notFound(`there is no redirect from ${JSON.stringify(from)}`);
}

/**
 * Case counts; a slash at the end and the spelling with percent signs do not.
 * @throws HttpError 409 naming the redirect that the address has.
 */
function assertFree(parts: RouteParts, from: string, was?: string): void {
  const { redirectKey, redirectProblem } = parts.site.use("content").addresses;
  // The change is rejected with the reason.
  if (redirectProblem(from, "/") !== null) return;
  const key = redirectKey(from);
  const taken = Object.entries(redirectsOf(parts).current).find(
    ([known]) => known !== was && redirectKey(known) === key,
  );
  if (taken === undefined) return;
  const [known, location] = taken.map((one) => JSON.stringify(one));
  throw new HttpError(409, `${known} already redirects to ${location}; change that redirect`, {
    code: "ERR_ADMIN_CONFLICT",
  });
}
