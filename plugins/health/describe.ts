import { z } from "zod";
import type { Http } from "#kernel";

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
