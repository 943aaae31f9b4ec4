/** Adding another provider's identity to an account, and removing it. The link ends in the provider's callback. */
import { z } from "zod";
import { HttpError } from "#kernel";
import { startQuery } from "../params.js";
import { assertOwnSite, requireStored } from "./account-guard.js";
import type { AuthPages } from "./auth-pages.js";
import type { AuthContext } from "./auth-context.js";
import { startFlow } from "./oauth-routes.js";

const unlinked = z.object({ ok: z.literal(true), linkedProviders: z.array(z.string()) });
const problem = z.object({ error: z.string() });

/** `GET /auth/{provider}/link` of each configured provider. */
export function linkStartRoutes(context: AuthContext, pages: AuthPages): void {
  for (const provider of context.providers) {
    const path = `/auth/${provider.slug}/link`;
    context.site.http.route({
      method: "get",
      path,
      summary: `Link an identity of ${provider.label}`,
      hidden: true,
      query: startQuery,
      handler: async (req, res, { query: { next } }) => {
        const user = requireStored(context, req);
        const session = context.sessions.current(req, "visitor");
        if (session === null) {
          throw new HttpError(401, "log in first", { code: "ERR_AUTH_REQUIRED" });
        }
        // Another site sent the visitor here: ask for confirmation before linking.
        if (req.headers["sec-fetch-site"] === "cross-site") {
          return pages.confirm(req, res, {
            title: `Link ${provider.label}`,
            text: `Do you want to use ${provider.label} to log in to this account?`,
            button: `Link ${provider.label}`,
            action: path,
            method: "get",
            fields: { next },
          });
        }
        const link = { userId: user.id, sessionId: session.id };
        return startFlow(context, pages, { req, res, provider, link, next });
      },
    });
  }
}

/** `POST/auth/{provider}/unlink` of each configured provider. */
export function unlinkRoutes(context: AuthContext): void {
  const { http } = context.site;
  for (const { slug, label } of context.providers) {
    http.jsonPrefix(`/auth/${slug}/unlink`);
    http.route({
      method: "post",
      path: `/auth/${slug}/unlink`,
      summary: `Remove a linked identity of ${label}`,
      responses: { 200: unlinked, 401: problem, 403: problem, 404: problem, 409: problem },
      handler: async (req, res) => {
        assertOwnSite(context, req);
        const user = requireStored(context, req);
        const keepLast = context.section.providers.magicLink?.enabled !== true;
        const changed = await context.users.unlinkIdentity(user.id, slug, { keepLast });
        const { linkedProviders } = context.users.public(changed);
        await http.json(req, res, { ok: true, linkedProviders }, { cache: { private: true } });
      },
    });
  }
}
