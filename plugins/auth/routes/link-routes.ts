import type { Request } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import type { SiteUser } from "../contract.js";
import type { PendingLogin } from "../providers/login-state.js";
import { ProviderError, type LoginProvider, type Profile } from "../providers/provider.js";
import { redirect, type RouteContext } from "./answers.js";
import { assertOwnSite } from "./account-guard.js";
import type { AuthParts } from "./auth-parts.js";
import { beginSession } from "./login-routes.js";

/** A link returning from the provider. */
export interface LinkReturn extends RouteContext {
  readonly provider: LoginProvider;
  readonly profile: Profile;
  readonly link: NonNullable<PendingLogin["link"]>;
  readonly next: string;
}

/** Adds the identity to the account whose session started the link, and to no other. */
export async function finishLink(parts: AuthParts, back: LinkReturn): Promise<void> {
  const { req, res, provider, profile, link, next } = back;
  const { http } = parts.site;
  const session = parts.sessions.current(req, "visitor");
  const user = req.ctx.state.siteUser;
  if (!user || session === null || user.id !== link.userId || session.id !== link.sessionId) {
    throw new ProviderError("code", "the link was started in another session");
  }
  const identity = { provider: provider.slug, providerId: profile.id };
  const outcome = await parts.users.linkIdentity(user.id, identity);
  if (outcome.kind === "linked_elsewhere") {
    await beginSession(parts, { req, res }, { user: outcome.owner, provider: provider.slug });
    return redirect(http, { req, res }, "/?site_link=linked_elsewhere");
  }
  redirect(http, { req, res }, withParameter(next, outcome.kind));
}

function withParameter(next: string, outcome: string): string {
  const url = new URL(next, "http://site.invalid");
  url.searchParams.set("site_link", outcome);
  return url.pathname + url.search + url.hash;
}

const unlinked = z.object({ ok: z.literal(true), linkedProviders: z.array(z.string()) });
const problem = z.object({ error: z.string() });

/** `POST /auth/{provider}/unlink` of each configured provider. */
export function unlinkRoutes(parts: AuthParts): void {
  const { http } = parts.site;
  for (const { slug, label } of parts.providers) {
    http.jsonPrefix(`/auth/${slug}/unlink`);
    http.route({
      method: "post",
      path: `/auth/${slug}/unlink`,
      summary: `Remove a linked identity of ${label}`,
      responses: { 200: unlinked, 401: problem, 403: problem, 404: problem, 409: problem },
      handler: async (req, res) => {
        assertOwnSite(parts, req);
        const user = requireStored(parts, req);
        const keepLast = parts.section.providers.magicLink?.enabled !== true;
        const changed = await parts.users.unlinkIdentity(user.id, slug, { keepLast });
        const { linkedProviders } = parts.users.public(changed);
        await http.json(req, res, { ok: true, linkedProviders }, { cache: { private: true } });
      },
    });
  }
}

/**
 * @throws HttpError 401 without a visitor, 400 when no store keeps the account, 503 during an
 * outage.
 */
export function requireStored({ sessions, users }: AuthParts, req: Request): SiteUser {
  const user = req.ctx.state.siteUser;
  if (!user) sessions.assertAvailable(req);
  if (!user) throw new HttpError(401, "log in first", { code: "ERR_AUTH_REQUIRED" });
  if (!users.isStateless) return user;
  throw new HttpError(
    400,
    "identities cannot be linked when accounts are stored only in the session",
    {
      code: "ERR_AUTH_LINK_STORE",
    },
  );
}
