import type { Request } from "express";
import type { Answer, Handler, Http } from "../contracts.js";

/**
 * A handler of GET and HEAD requests for which `find` has a response. `find` returns null at once for paths
 * of others, because nearly every request asks it, and resolves with null when there is nothing.
 */
export function readHandler(
  http: Pick<Http, "send">,
  find: (req: Request) => Promise<Answer | null> | null,
): Handler {
  return (req, res, next) => {
    const isRead = req.method === "GET" || req.method === "HEAD";
    const pending = isRead ? find(req) : null;
    if (pending === null) return next();
    return pending.then((answer) => (answer === null ? next() : http.send(req, res, answer)));
  };
}

/** 301 to the same address without its trailing slash: pages never have one. */
export function withoutSlash({ ctx: { path, search } }: Request): Answer {
  const address = path.slice(0, -1).split("/").map(encodeURIComponent).join("/");
  const query = search === "" ? "" : `?${search}`;
  return {
    status: 301,
    type: "text/plain; charset=utf-8",
    body: "",
    headers: { Location: address + query },
  };
}
