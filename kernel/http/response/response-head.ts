import type { OutgoingHttpHeader } from "node:http";
import type { Request } from "express";
import { type BeforeHead, changeHeaders, SERVER_TIMING, type SitePath } from "#lib/http";
import { passedOn } from "#lib/urls";
import type { RequestContext } from "../../contracts.js";
import { REQUEST_ID, WRITTEN } from "./answer.js";

/** Headers with addresses of the site, or with the path of cookies. */
const ADDRESSED = ["Location", "Link", "Set-Cookie", "Content-Location", "Refresh"];

/**
 * Adds `req.ctx.responseHeaders` to every response, however its handler writes it; headers already set win.
 * Addresses in headers become public ones.
 */
export function headWriter(sitePath: SitePath): BeforeHead {
  return (res, args) => {
    const { ctx }: { ctx?: RequestContext } = res.req as Partial<Request>;
    if (ctx && ctx.responseHeaders !== WRITTEN) {
      res.setHeader(REQUEST_ID, ctx.id);
      if (ctx.timings) res.setHeader(SERVER_TIMING, ctx.timings.header());
      for (const name in ctx.responseHeaders) {
        if (!res.hasHeader(name)) res.setHeader(name, ctx.responseHeaders[name] ?? "");
      }
    }
    const passes = ctx?.passesOn ?? "";
    if (sitePath.prefix === "" && passes === "") return args;
    const toPublic = (name: string, value: OutgoingHttpHeader): OutgoingHttpHeader => {
      const isTarget = name.toLowerCase() === "location" && typeof value === "string";
      return sitePath.header(name, isTarget ? passedOn(value, passes) : value);
    };
    for (const name of ADDRESSED) {
      const value = res.getHeader(name);
      if (value !== undefined) res.setHeader(name, toPublic(name, value));
    }
    return changeHeaders(args, toPublic);
  };
}
