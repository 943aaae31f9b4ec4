import type { JobRecord } from "../../../jobs/contract.js";
import { note, type AdminContext } from "../admin-context.js";
import { systemApi } from "../../schemas/system.js";

/** Stored jobs: list waiting, running and dead ones; retry dead ones. */
export function jobRoutes(context: AdminContext): void {
  const { admin, site } = context;
  const jobs = site.use("jobs");
  admin.route({
    method: "get",
    path: "/jobs",
    permission: "config.read",
    summary: "Stored jobs, oldest first, without their payloads",
    responses: systemApi["GET /jobs"].responses,
    query: systemApi["GET /jobs"].query,
    handler: async (req, res, { query }) => {
      const { queue, state, limit, offset } = query;
      const filter = {
        ...(queue !== undefined && { queue }),
        ...(state !== undefined && { state }),
      };
      const stored = await jobs.list(filter);
      const items = stored.slice(offset, offset + limit).map(withoutPayload);
      await site.http.json(req, res, { items, total: stored.length, queues: jobs.status() });
    },
  });
  admin.route({
    method: "post",
    path: "/jobs/:id/retry",
    permission: "config.update",
    summary: "Run a dead job again, with its full number of attempts",
    responses: systemApi["POST /jobs/:id/retry"].responses,
    handler: async (req, res, { params, identity }) => {
      const job = await jobs.retry(params["id"] ?? "");
      const target = { type: "job", id: job.id };
      note(context, req, { event: "job.retry", actor: identity, target });
      await site.http.json(req, res, withoutPayload(job), { status: 202 });
    },
  });
}

/** A payload may contain a login link or personal data. */
function withoutPayload({ payload: _, ...job }: JobRecord): Omit<JobRecord, "payload"> {
  return job;
}
