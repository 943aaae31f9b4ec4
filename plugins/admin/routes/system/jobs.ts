import type { JobRecord } from "#kernel";
import { z } from "zod";
import { changed } from "../answers.js";
import { note, type RouteParts, sliceQuery } from "../route-parts.js";

const jobsQuery = z.object({
  ...sliceQuery(500),
  queue: z.string().max(100).optional(),
  state: z.enum(["waiting", "running", "dead"]).optional(),
});

const time = z.number().describe("Unix ms");
const count = z.int().min(0);
const job = z
  .object({
    id: z.string(),
    queue: z.string(),
    key: z.string(),
    group: z.string(),
    state: z.enum(["waiting", "running", "dead"]),
    attempts: count,
    createdAt: time,
    runAt: time,
    startedAt: time.nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: "Job", description: "A stored job" });
const queues = z.record(z.string(), z.object({ waiting: count, running: count, dead: count }));

/** Stored jobs: list waiting, running and dead ones; retry dead ones. */
export function jobRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "get",
    path: "/jobs",
    permission: "config.read",
    summary: "Stored jobs, oldest first, without their payloads",
    responses: { 200: z.object({ items: z.array(job), total: count, queues }) },
    query: jobsQuery,
    handler: async (req, res, { query }) => {
      const { queue, state, limit, offset } = query;
      const filter = {
        ...(queue !== undefined && { queue }),
        ...(state !== undefined && { state }),
      };
      const jobs = await site.jobs.list(filter);
      const items = jobs.slice(offset, offset + limit).map(withoutPayload);
      await site.http.json(req, res, { items, total: jobs.length, queues: site.jobs.status() });
    },
  });
  admin.route({
    method: "post",
    path: "/jobs/:id/retry",
    permission: "config.update",
    summary: "Run a dead job again, with its full number of attempts",
    responses: { 202: job, ...changed },
    handler: async (req, res, { params, identity }) => {
      const job = await site.jobs.retry(params["id"] ?? "");
      const target = { type: "job", id: job.id };
      note(parts, req, { event: "job.retry", actor: identity, target });
      await site.http.json(req, res, withoutPayload(job), { status: 202 });
    },
  });
}

/** A payload may contain a login link or personal data. */
function withoutPayload({ payload: _, ...job }: JobRecord): Omit<JobRecord, "payload"> {
  return job;
}
