import { z } from "zod";
import { ownUser, startSession } from "./session.js";
import { note, notFound, type RouteParts } from "../route-parts.js";

const time = z.number().describe("Unix ms");
const error = z.object({ error: z.string() });
const sessionList = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      device: z.string(),
      address: z.string(),
      createdAt: time,
      lastSeenAt: time.describe("Unix ms, accurate to five minutes"),
      expiresAt: time,
      current: z.boolean(),
    }),
  ),
  total: z.int(),
});
const ID = /^[0-9a-f]{64}$/;

/** Where the signed-in account is signed in. */
export function accountSessionRoutes(parts: RouteParts): void {
  const { admin, site, account } = parts;
  admin.route({
    method: "get",
    path: "/me/sessions",
    permission: "any",
    sessionOnly: true,
    summary: "Where the own account is signed in, the last seen first",
    responses: { 200: sessionList },
    handler: async (req, res, { identity }) => {
      const user = await ownUser(parts, identity);
      const current = site.use("session").current(req, "admin")?.id;
      const items = (await account.sessions.list(user.id)).map((session) => ({
        ...session,
        current: current === `admin-${session.id}`,
      }));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "delete",
    path: "/me/sessions/:id",
    permission: "any",
    sessionOnly: true,
    summary: "End one session of the own account",
    responses: { 200: z.object({ revoked: z.literal(true), id: z.string() }), 404: error },
    handler: async (req, res, { identity, params }) => {
      const user = await ownUser(parts, identity);
      const id = params["id"] ?? "";
      if (!ID.test(id) || !(await account.sessions.revoke(user.id, id))) {
        throw notFound("the account has no such session");
      }
      const target = { type: "user", id: user.id };
      note(parts, req, { event: "user.session_revoked", actor: identity, target });
      await site.http.json(req, res, { revoked: true, id });
    },
  });
  addRevokeOthers(parts);
}

function addRevokeOthers(parts: RouteParts): void {
  const { admin, site, identities } = parts;
  admin.route({
    method: "delete",
    path: "/me/sessions",
    permission: "any",
    sessionOnly: true,
    summary: "End all other sessions of the own account; this one continues under a new id",
    responses: { 200: z.object({ revoked: z.int(), csrfToken: z.string().nullable() }) },
    handler: async (req, res, { identity }) => {
      const user = await ownUser(parts, identity);
      // Also those that could not be listed: all end, and this one starts again.
      const ended = await site.use("session").revokeUser(user.id);
      await startSession(parts, { req, res }, user);
      const target = { type: "user", id: user.id };
      note(parts, req, { event: "user.sessions_revoked", actor: identity, target });
      const csrfToken = (await identities.signedIn(req))?.csrfToken ?? null;
      await site.http.json(req, res, { revoked: Math.max(0, ended - 1), csrfToken });
    },
  });
}
