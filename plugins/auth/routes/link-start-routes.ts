import { startQuery } from "../params.js";
import { HttpError } from "#kernel";
import type { AuthPages } from "./auth-pages.js";
import type { AuthParts } from "./auth-parts.js";
import { requireStored } from "./link-routes.js";
import { startFlow } from "./oauth-routes.js";

/** `GET /auth/{provider}/link` of each configured provider. */
export function linkStartRoutes(parts: AuthParts, pages: AuthPages): void {
  for (const provider of parts.providers) {
    const path = `/auth/${provider.slug}/link`;
    parts.site.http.route({
      method: "get",
      path,
      summary: `Link an identity of ${provider.label}`,
      hidden: true,
      query: startQuery,
      handler: async (req, res, { query: { next } }) => {
        const user = requireStored(parts, req);
        const session = parts.sessions.current(req, "visitor");
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
        return startFlow(parts, pages, { req, res, provider, link, next });
      },
    });
  }
}
