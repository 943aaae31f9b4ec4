import type { Handler, Site } from "#kernel";
import { HostContext } from "./login/host-context.js";

/** The methods required of the host's Express app. */
export interface HostApp {
  use(handler: Handler): unknown;
}

/**
 * Adds visitor login to a host's own Express app: mounts the `/auth/…` routes of a started site and
 * identifies the visitor of every request, as `req.ctx.state.siteUser` and the request header
 * `x-site-user`. Mount it before body parsers and before anything that needs the visitor.
 * @throws ERR_SERVICE_UNKNOWN when the site has no `auth` block.
 */
export function mountAuth(app: HostApp, site: Site): void {
  const { identity, ownsTarget } = site.use("auth");
  app.use((req, res, next) => {
    if (ownsTarget(req.url)) site.handler(req, res, next);
    else {
      req.ctx = new HostContext(req, site.log);
      next();
    }
  });
  for (const handler of identity) app.use(handler);
}
