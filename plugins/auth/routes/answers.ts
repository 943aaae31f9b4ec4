import type { Request, Response } from "express";
import type { Http } from "#kernel";

/** Sends a visitor on; `to` is an address of ours, of a provider, or has been through `safeNext`. */
export function redirect(http: Http, { req, res }: Exchange, to: string): void {
  const headers = { Location: to };
  http.send(req, res, {
    status: 302,
    type: "text/plain; charset=utf-8",
    body: "",
    headers,
    private: true,
  });
}

/** Answers a request that nobody meant: nothing happens. */
export function nothing(_http: Http, { res }: Exchange): void {
  res.writeHead(204, { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
  res.end();
}

/** A request and its response. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
}

/** Adds a `Set-Cookie` header beside those already there. */
export function addCookie(res: Response, header: string): void {
  res.appendHeader("Set-Cookie", header);
}
