import type { Request } from "express";
import { z } from "zod";
import {
  type Answer,
  constantTimeEqual,
  type EdgeStep,
  type Http,
  type SiteContext,
} from "#kernel";

const HEADERS = { "Cache-Control": "no-store" };
const TYPE = "application/json; charset=utf-8";
const OK: Answer = {
  type: TYPE,
  headers: HEADERS,
  body: '{"status":"ok"}',
  skipsFilters: true,
};

/**
 * Responds to `/health`, `/health/live` and `/health/ready` at the edge: also before the site is
 * ready and during shutdown.
 */
export function healthStep(site: SiteContext, report: () => Record<string, unknown>): EdgeStep {
  const token = site.settings.site.health_token;
  const answers = new Map<string, (req: Request) => Answer>([
    ["/health/live", () => OK],
    ["/health/ready", () => readiness(site.lifecycle.state())],
    ["/health", (req) => (isDetailed(req, token) ? detailed(report()) : OK)],
  ]);
  return (req, res) => {
    if (!req.ctx.path.startsWith("/health")) return false;
    const answer = answers.get(req.ctx.path);
    if (!answer) return false;
    if (req.method === "GET" || req.method === "HEAD") site.http.send(req, res, answer(req));
    else site.http.send(req, res, NOT_ALLOWED);
    return true;
  };
}

const NOT_ALLOWED: Answer = {
  status: 405,
  type: TYPE,
  headers: { ...HEADERS, Allow: "GET, HEAD" },
  body: '{"error":"allowed methods: GET, HEAD"}',
  skipsFilters: true,
};

function readiness(state: "starting" | "ready" | "draining"): Answer {
  if (state === "ready") return OK;
  const headers = { ...HEADERS, "Retry-After": "1" };
  const body = JSON.stringify({ error: `the site is ${state}`, status: state });
  return { status: 503, type: TYPE, headers, body, skipsFilters: true };
}

function detailed(report: Record<string, unknown>): Answer {
  return { type: TYPE, headers: HEADERS, body: JSON.stringify(report), skipsFilters: true };
}

/** Details require a configured, non-empty token. */
function isDetailed(req: Request, token: string | undefined): boolean {
  const query = new URLSearchParams(req.ctx.search);
  const presented = query.get("token");
  if (!token || !presented || query.get("detailed") !== "true") return false;
  return constantTimeEqual(presented, token);
}

const ok = z.object({ status: z.literal("ok") });
const notYet = z.object({ error: z.string(), status: z.enum(["starting", "draining"]) });
const details = z.looseObject({
  status: z.enum(["ok", "degraded"]),
  uptime: z.number().optional().describe("Seconds; this and all following fields require a token"),
});

/** Declares the probes for the API documentation; the edge responds to them. */
export function describeHealth(http: Http): void {
  const get = { method: "get", tag: "health" } as const;
  http.describe({
    ...get,
    path: "/health/live",
    summary: "The process is running",
    responses: { 200: ok },
  });
  http.describe({
    ...get,
    path: "/health/ready",
    summary: "The content index is loaded",
    responses: { 200: ok, 503: notYet },
  });
  http.describe({
    ...get,
    path: "/health",
    summary: "The state of the site; detailed with detailed=true and the token from site.yaml",
    query: z.object({ detailed: z.string().optional(), token: z.string().optional() }),
    responses: { 200: details },
  });
}
