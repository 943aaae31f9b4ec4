import { randomUUID } from "node:crypto";
import type { Handler, RequestContext, Site } from "#kernel";

type Req = Parameters<Handler>[0];

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
      req.ctx = hostContext(req, site);
      next();
    }
  });
  for (const handler of identity) app.use(handler);
}

function isAuthPath(url: string): boolean {
  return url === "/auth" || url.startsWith("/auth/");
}

/** What requests of the site carry, for those of a host. */
function hostContext(req: Req, { log }: Site): RequestContext {
  const [path = "/", search = ""] = req.url.split("?", 2);
  const id = randomUUID().replaceAll("-", "").slice(0, 16);
  let nonce: string | null = null;
  return {
    id,
    log: log.child({ req: id }),
    path: decoded(path),
    search,
    ip: req.ip ?? req.socket.remoteAddress ?? "",
    protocol: req.protocol === "https" ? "https" : "http",
    lang: "",
    nonce: () => (nonce ??= randomUUID()),
    get hasNonce() {
      return nonce !== null;
    },
    startedAt: performance.now(),
    route: "other",
    traceId: null,
    state: {},
    outgoing: {},
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // The host decides what becomes of it.
    return path;
  }
}
