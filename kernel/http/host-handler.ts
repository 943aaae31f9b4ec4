import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Express, Request } from "express";
import { SiteError } from "#lib/errors";
import { defineWriteHead, passToServer, type SitePath } from "#lib/http";
import { headWriter } from "./response/response-head.js";

/** An Express handler; also a listener of `http.createServer`. */
export type HostHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * The whole site as a handler of a host's Express app, which mounts it below the path of `site.url`. The
 * connection, its time limits and its upgrades stay the host's.
 */
export function hostHandler(server: Server, app: Express, sitePath: SitePath): HostHandler {
  const beforeHead = headWriter(sitePath);
  return (req, res, next) => {
    // Express removes the path of the mount from `url`.
    const { baseUrl: mount = "" }: { baseUrl?: string } = req as Partial<Request>;
    // By default, Express matches the path of a mount without regard to case.
    if (!sitePath.prefix.toLowerCase().endsWith(mount.toLowerCase())) {
      const error = new SiteError(
        "ERR_SITE_MOUNT",
        `the site is mounted at ${JSON.stringify(mount)}, but the path of \`url\` in site.yaml is ${JSON.stringify(sitePath.prefix)}`,
        { fix: `end \`url\` with ${mount}, or mount the site at the path of \`url\`` },
      );
      if (next === undefined) throw error;
      next(error);
      return;
    }
    if (mount !== "") req.url = sitePath.prefix + (req.url ?? "/");
    // Middleware of the host, such as `compression`, may have set its own, which hides the site's.
    if (Object.hasOwn(res, "writeHead")) defineWriteHead(res, res.writeHead.bind(res), beforeHead);
    passToServer(server, app, { req, res });
  };
}
