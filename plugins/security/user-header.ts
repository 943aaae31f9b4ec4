import type { IncomingMessage } from "node:http";

/** Any spelling that some layer behind us could take for the internal header. */
const USER_HEADER = /^x[-_]site[-_]user$/i;

/** Takes `x-site-user` off a request, wherever Node keeps it (specification: current user). */
export function stripUserHeader(req: IncomingMessage): void {
  const { rawHeaders } = req;
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const name = rawHeaders[at] ?? "";
    // Nearly every request passes here: the length decides before the pattern does.
    if (name.length !== 11 || !USER_HEADER.test(name)) continue;
    rawHeaders.splice(at, 2);
    delete req.headers[name.toLowerCase()];
  }
}
