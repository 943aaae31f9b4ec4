import { randomUUID } from "node:crypto";
import type { Handler, Logger, RequestContext, RequestState, Site } from "#kernel";

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

/** The request of an Express handler. */
type Req = Parameters<Handler>[0];

/** The request context that the site's requests have, for requests of a host app. */
export class HostContext implements RequestContext {
  readonly id = randomUUID().replaceAll("-", "").slice(0, 16);
  readonly path: string;
  readonly search: string;
  readonly ip: string;
  readonly protocol: "http" | "https";
  readonly startedAt = performance.now();
  readonly state: RequestState = {};
  lang = "";
  route = "other";
  traceId: string | null = null;
  responseHeaders: Readonly<Record<string, string>> = {};
  readonly #siteLog: Logger;
  #log: Logger | null = null;
  #nonce: string | null = null;

  constructor(req: Req, log: Logger) {
    const [path = "/", search = ""] = req.url.split("?", 2);
    this.path = decoded(path);
    this.search = search;
    this.ip = req.ip ?? req.socket.remoteAddress ?? "";
    this.protocol = req.protocol === "https" ? "https" : "http";
    this.#siteLog = log;
  }

  get log(): Logger {
    return (this.#log ??= this.#siteLog.child({ req: this.id }));
  }

  get hasNonce(): boolean {
    return this.#nonce !== null;
  }

  nonce(): string {
    return (this.#nonce ??= randomUUID());
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // The host decides what happens to it.
    return path;
  }
}
