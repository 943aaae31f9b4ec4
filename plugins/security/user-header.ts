import type { IncomingMessage } from "node:http";

/** Any spelling that a layer behind us could read as the internal header. */
const USER_HEADER = /^x[-_]site[-_]user$/i;

/** Removes `x-site-user` from a request, in `headers` and `rawHeaders`. */
export function stripUserHeader(req: IncomingMessage): void {
  const { rawHeaders } = req;
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const name = rawHeaders[at] ?? "";
    // Nearly every request runs this: check the length before the pattern.
    if (name.length !== 11 || !USER_HEADER.test(name)) continue;
    rawHeaders.splice(at, 2);
    delete req.headers[name.toLowerCase()];
  }
}
