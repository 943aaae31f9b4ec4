/** The page of a visitor's own account, with what it changes. */
import { z } from "zod";
import { HttpError } from "#kernel";
import { AllPersonalData } from "../personal-data.js";
import {
  changedAccount,
  countChange,
  csrfToken,
  isFresh,
  ownAccount,
  type OwnAccount,
} from "./account-guard.js";
import type { AccountPage, AuthPages } from "./auth-pages.js";
import { redirect, type AuthContext } from "./auth-context.js";

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

/** Declares the routes below `/auth/account`. */
export function accountRoutes(context: AuthContext, pages: AuthPages): void {
  const data = new AllPersonalData(context.site, context.personalData);
  pageRoute(context, pages, data);
  dataRoutes(context, data);
  changeRoutes(context);
}

function pageRoute(context: AuthContext, pages: AuthPages, data: AllPersonalData): void {
  context.site.http.route({
    method: "get",
    path: PAGE,
    summary: "The page of the own account",
    hidden: true,
    query: z.object({ message: z.string().optional() }),
    handler: async (req, res, { query: { message = "" } }) => {
      if (!req.ctx.state.siteUser) {
        context.sessions.assertAvailable(req);
        const to = `/auth/login?next=${encodeURIComponent(PAGE)}`;
        return redirect(context.site.http, { req, res }, to);
      }
      const account = ownAccount(context, req);
      const { users, site } = context;
      const from = { agent: req.headers["user-agent"] ?? "", address: req.ctx.ip };
      await site.use("sessionLists").visitor.note(account.session, from);
      const sessions = await site.use("sessionLists").visitor.list(account.user.id);
      const { email, name, createdAt, provider, linkedProviders } = users.public(account.user);
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
          isCurrent: account.session.id === `visitor-${id}`,
        })),
        passkeys: await listPasskeys(context, account),
        fates: data.fates().map(({ deleted = null, kept = null }) => ({ deleted, kept })),
        isFresh: isFresh(context, account.session),
        csrf: await csrfToken(context, account.session),
        message: MESSAGES.includes(message) ? message : null,
      });
    },
  });
}

/** Null: the site does not offer passkeys, or does not store accounts. */
async function listPasskeys(
  { site, section, users, passkeys: visitor }: AuthContext,
  { user }: OwnAccount,
): Promise<AccountPage["passkeys"]> {
  if (section.providers.passkeys?.enabled !== true || users.isStateless) return null;
  const { obstacle, limit } = site.use("passkeys");
  const items = (await visitor?.passkeys.list(user.id)) ?? [];
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
    script: visitor?.script.url ?? null,
  };
}

function dataRoutes(context: AuthContext, data: AllPersonalData): void {
  const { http } = context.site;
  http.jsonPrefix(`${PAGE}/data`);
  http.route({
    method: "get",
    path: `${PAGE}/data`,
    summary: "Everything that the site stores about the own account",
    responses: { 200: z.looseObject({ exportedAt: z.string() }), 401: problem, 429: problem },
    handler: async (req, res) => {
      const account = ownAccount(context, req);
      await countChange(context, account);
      const body = await data.export(context.users.public(account.user));
      const headers = { "Content-Disposition": 'attachment; filename="my-data.json"' };
      await http.json(req, res, body, { headers, cache: { private: true } });
    },
  });
  http.route({
    method: "post",
    path: `${PAGE}/delete`,
    summary: "Delete the own account",
    hidden: true,
    body: { as: "form", limit: LIMIT, schema: z.object(csrf) },
    handler: async (req, res, { body }) => {
      const account = await changedAccount(context, req, body._csrf);
      if (!isFresh(context, account.session)) {
        throw new HttpError(403, "log in again before you delete the account", {
          code: "ERR_AUTH_FRESH",
        });
      }
      if (account.user.roles.includes("admin")) {
        throw new HttpError(409, "an administrator's account is deleted in the panel", {
          code: "ERR_AUTH_ADMIN",
        });
      }
      await data.erase(context.users.public(account.user));
      context.site.log.info("auth.account_deleted", { user: account.user.id });
      // The session is deleted with its account; what remains is the cookie.
      await context.sessions.logout(req, res, "visitor");
      redirect(http, { req, res }, "/");
    },
  });
}

function changeRoutes(context: AuthContext): void {
  const { http } = context.site;
  http.route({
    method: "post",
    path: PAGE,
    summary: "Change the own name",
    hidden: true,
    body: {
      as: "form",
      limit: LIMIT,
      schema: z.object({ ...csrf, name: z.string().max(200).default("") }),
    },
    handler: async (req, res, { body }) => {
      const { user } = await changedAccount(context, req, body._csrf);
      const name = body.name.replaceAll(/\p{C}+/gu, " ").trim();
      if (!context.users.isStateless) {
        await context.users.update(user.id, ({ name: _name, ...rest }) =>
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
    hidden: true,
    body: {
      as: "form",
      limit: LIMIT,
      schema: z.object({ ...csrf, id: z.string().regex(/^[0-9a-f]{64}$/) }),
    },
    handler: async (req, res, { body }) => {
      const { user } = await changedAccount(context, req, body._csrf);
      await context.site.use("sessionLists").visitor.revoke(user.id, body.id);
      redirect(http, { req, res }, `${PAGE}?message=revoked`);
    },
  });
  http.route({
    method: "post",
    path: `${PAGE}/again`,
    summary: "Log in again",
    hidden: true,
    body: { as: "form", limit: LIMIT, schema: z.object(csrf) },
    handler: async (req, res, { body }) => {
      await changedAccount(context, req, body._csrf);
      await context.sessions.logout(req, res, "visitor");
      redirect(http, { req, res }, `/auth/login?next=${encodeURIComponent(PAGE)}`);
    },
  });
}
