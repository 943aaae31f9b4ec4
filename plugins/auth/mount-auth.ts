import type { Handler, Site } from "#kernel";
import { HostContext } from "./host-context.js";

/** What an Express app of a host has to offer. */
export interface HostApp {
  use(handler: Handler): unknown;
}

/**
 * Logs visitors of a host's own Express app in: mounts the `/auth/…` routes of a started site and
 * finds out who asks on every request, which is then `req.ctx.state.siteUser` and the request
 * header `x-site-user`. Mount it before parsers of bodies and before whatever needs the visitor
 * (specification: rule 4). Throws ERR_SERVICE_UNKNOWN when the site has no `auth` block.
 */
export function mountAuth(app: HostApp, site: Site): void {
  const { identity } = site.use("auth");
  app.use((req, res, next) => {
    if (isAuthPath(req.url)) site.server.emit("request", req, res);
    else {
      req.ctx = new HostContext(req, site.log);
      next();
    }
  });
  for (const handler of identity) app.use(handler);
}

function isAuthPath(url: string): boolean {
  return url === "/auth" || url.startsWith("/auth/");
}
