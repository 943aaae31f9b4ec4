import type { Request, Response } from "express";
import type { InternalContext } from "#kernel/internal";
import { mayAt } from "../../accounts/rights.js";
import { ADMIN_HEADERS } from "../../admin-headers.js";
import { EventHub } from "../../event-hub.js";
import { contentPath } from "../../write/page-source.js";
import type { RouteParts } from "../route-parts.js";
import { systemApi } from "../../schemas/system.js";

const BEAT_MS = 25_000;

/** Changes of pages and presence, as server-sent events. */
export function eventRoutes({ admin, site }: RouteParts): void {
  const { changes, lifecycle, runtime } = site;
  const hub = new EventHub(changes, runtime.clock);
  admin.route({
    method: "get",
    path: "/events",
    permission: "pages.read",
    paths: "own",
    summary: "Server-sent events: saved, published, deleted, presence; Last-Event-ID resumes",
    responses: systemApi["GET /events"].responses,
    query: systemApi["GET /events"].query,
    handler: (req, res, { identity, query }) => {
      hub.assertRoom(identity.id);
      open(req, res);
      const sees = (path: string): boolean => mayAt(identity, "pages.read", path);
      const last = lastIdOf(req) ?? query.since;
      res.once("close", hub.add({ userId: identity.id, sees, stream: res }, last));
      if (lifecycle.signal.aborted) hub.close();
    },
  });
  admin.route({
    method: "post",
    path: "/events/presence",
    permission: "pages.read",
    paths: ({ body }) => (body.path === null ? [] : [body.path]),
    summary: "Say which page is open; repeat it within a minute",
    responses: systemApi["POST /events/presence"].responses,
    body: { as: "json", limit: 16_384, schema: systemApi["POST /events/presence"].body },
    handler: (req, res, { body, identity }) => {
      const { id, name } = identity;
      const path = body.path === null ? null : contentPath(body.path);
      return site.http.json(req, res, { people: hub.setPresent({ id, name }, path) });
    },
  });
  lifecycle.onListen(() => {
    const timer = setInterval(() => hub.beat(), BEAT_MS);
    timer.unref();
    lifecycle.onClose(() => clearInterval(timer));
  });
  // Closing waits for open requests, and a stream would never end by itself.
  lifecycle.signal.addEventListener("abort", () => hub.close(), { once: true });
}

function open(req: Request, res: Response): void {
  const ctx: InternalContext = req.ctx;
  res.writeHead(200, {
    ...ctx.responseHeaders,
    ...ADMIN_HEADERS,
    "Content-Type": "text/event-stream; charset=utf-8",
    "X-Accel-Buffering": "no",
  });
}

function lastIdOf({ headers }: Request): string | undefined {
  const given = headers["last-event-id"];
  return typeof given === "string" ? given.slice(0, 100) : undefined;
}
