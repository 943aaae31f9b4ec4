/** The page of a visitor's own account, with what it changes. */
import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import { AllPersonalData } from "../personal-data.js";
import {
  changedAccount,
  countChange,
  csrfOf,
  isFresh,
  ownAccount,
  type OwnAccount,
} from "./account-guard.js";
import type { AccountPage, AuthPages } from "./auth-pages.js";
import { redirect } from "./answers.js";
import type { AuthParts } from "./auth-parts.js";

const PAGE = "/auth/account";
const LIMIT = 8_192;
const MESSAGES: readonly string[] = [
  "saved",
  "revoked",
  "passkey_added",
  "passkey_renamed",
  "passkey_removed",
];
const csrf = { _csrf: z.string().max(100).optional() };
const problem = z.object({ error: z.string() });
const hidden = { hidden: true } as const;

/** Declares the routes below `/auth/account`. */
export function accountRoutes(parts: AuthParts, pages: AuthPages): void {
  const data = new AllPersonalData(parts.site, parts.personalData);
  pageRoute(parts, pages, data);
  dataRoutes(parts, data);
  changeRoutes(parts);
}

function pageRoute(parts: AuthParts, pages: AuthPages, data: AllPersonalData): void {
  parts.site.http.route({
    method: "get",
    path: PAGE,
    summary: "The page of the own account",
    ...hidden,
    query: z.object({ message: z.string().optional() }),
    handler: async (req, res, { query: { message = "" } }) => {
      if (!req.ctx.state.siteUser) {
        parts.sessions.assertAvailable(req);
        const to = `/auth/login?next=${encodeURIComponent(PAGE)}`;
        return redirect(parts.site.http, { req, res }, to);
      }
      const own = ownAccount(parts, req);
      const { users, site } = parts;
      const from = { agent: req.headers["user-agent"] ?? "", address: req.ctx.ip };
      await site.use("sessionLists").visitor.note(own.session, from);
      const sessions = await site.use("sessionLists").visitor.list(own.user.id);
      const { email, name, createdAt, provider, linkedProviders } = users.public(own.user);
      return pages.account(req, res, {
        account: {
          email,
          name,
          createdAt: new Date(createdAt).toISOString(),
          providers: [...new Set([provider, ...linkedProviders])],
        },
        isStored: !users.isStateless,
        sessions: sessions.map(({ id, device, lastSeenAt }) => ({
          id,
          device,
          seen: new Date(lastSeenAt).toISOString(),
          isCurrent: own.session.id === `visitor-${id}`,
        })),
        passkeys: await passkeysOf(parts, own),
        fates: data.fates().map(({ deleted = null, kept = null }) => ({ deleted, kept })),
        isFresh: isFresh(parts, own.session),
        csrf: await csrfOf(parts, own.session),
        message: MESSAGES.includes(message) ? message : null,
      });
    },
  });
}

/** Null: the site does not offer passkeys, or does not store accounts. */
async function passkeysOf(
  { site, section, users, passkeys: parts }: AuthParts,
  { user }: OwnAccount,
): Promise<AccountPage["passkeys"]> {
  if (section.providers.passkeys?.enabled !== true || users.isStateless) return null;
  const { obstacle, limit } = site.use("passkeys");
  const items = (await parts?.passkeys.list(user.id)) ?? [];
  const iso = (at: number): string => new Date(at).toISOString();
  return {
    items: items.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      created: iso(createdAt),
      used: lastUsedAt === null ? null : iso(lastUsedAt),
    })),
    obstacle: obstacle?.kind ?? null,
    isFull: items.length >= limit,
    script: parts?.script.url ?? null,
  };
}

function dataRoutes(parts: AuthParts, data: AllPersonalData): void {
  const { http } = parts.site;
  http.jsonPrefix(`${PAGE}/data`);
  http.route({
    method: "get",
    path: `${PAGE}/data`,
    summary: "Everything that the site stores about the own account",
    responses: { 200: z.looseObject({ exportedAt: z.string() }), 401: problem, 429: problem },
    handler: async (req, res) => {
      const own = ownAccount(parts, req);
      await countChange(parts, own);
      const body = await data.export(parts.users.public(own.user));
      const headers = { "Content-Disposition": 'attachment; filename="my-data.json"' };
      await http.json(req, res, body, { headers, cache: { private: true } });
    },
  });
  http.route({
    method: "post",
    path: `${PAGE}/delete`,
    summary: "Delete the own account",
    ...hidden,
    body: { as: "form", limit: LIMIT, schema: z.object(csrf) },
    handler: async (req, res, { body }) => {
      const own = await changedAccount(parts, req, body._csrf);
      if (!isFresh(parts, own.session)) {
        throw new HttpError(403, "log in again before you delete the account", {
          code: "ERR_AUTH_FRESH",
        });
      }
      if (own.user.roles.includes("admin")) {
        throw new HttpError(409, "an administrator's account is deleted in the panel", {
          code: "ERR_AUTH_ADMIN",
        });
      }
      await data.erase(parts.users.public(own.user));
      parts.site.log.info("auth.account_deleted", { user: own.user.id });
      await ended(parts, req, res);
      redirect(http, { req, res }, "/");
    },
  });
}

/** The session is gone with its account; what remains is the cookie. */
async function ended({ sessions }: AuthParts, req: Request, res: Response): Promise<void> {
  await sessions.logout(req, res, "visitor");
}

function changeRoutes(parts: AuthParts): void {
  const { http } = parts.site;
  http.route({
    method: "post",
    path: PAGE,
    summary: "Change the own name",
    ...hidden,
    body: {
      as: "form",
      limit: LIMIT,
      schema: z.object({ ...csrf, name: z.string().max(200).default("") }),
    },
    handler: async (req, res, { body }) => {
      const { user } = await changedAccount(parts, req, body._csrf);
      const name = body.name.replaceAll(/\p{C}+/gu, " ").trim();
      if (!parts.users.isStateless) {
        await parts.users.update(user.id, ({ name: _name, ...rest }) =>
          name === "" ? rest : { ...rest, name },
        );
      }
      redirect(http, { req, res }, `${PAGE}?message=saved`);
    },
  });
  http.route({
    method: "post",
    path: `${PAGE}/sessions`,
    summary: "End a session",
    ...hidden,
    body: {
      as: "form",
      limit: LIMIT,
      schema: z.object({ ...csrf, id: z.string().regex(/^[0-9a-f]{64}$/) }),
    },
    handler: async (req, res, { body }) => {
      const { user } = await changedAccount(parts, req, body._csrf);
      await parts.site.use("sessionLists").visitor.revoke(user.id, body.id);
      redirect(http, { req, res }, `${PAGE}?message=revoked`);
    },
  });
  http.route({
    method: "post",
    path: `${PAGE}/again`,
    summary: "Log in again",
    ...hidden,
    body: { as: "form", limit: LIMIT, schema: z.object(csrf) },
    handler: async (req, res, { body }) => {
      await changedAccount(parts, req, body._csrf);
      await parts.sessions.logout(req, res, "visitor");
      redirect(http, { req, res }, `/auth/login?next=${encodeURIComponent(PAGE)}`);
    },
  });
}
