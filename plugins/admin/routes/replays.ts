import { z } from "zod";
import { answers } from "./answers.js";
import { note, selected, type RouteParts } from "./route-parts.js";

const BODY_BYTES = 16_384;

const body = z.object({
  since: z.string().max(100).describe("A cursor of `GET /api/changes`"),
  dryRun: z.boolean().describe("True: only count the events").default(false),
});

/** `POST {admin.path}/api/webhooks/{id}/replay`. */
export function replayRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "post",
    path: "/webhooks/:id/replay",
    permission: "config.update",
    summary: "Send the events since a cursor to an endpoint (label or index) again",
    body: { as: "json", limit: BODY_BYTES, schema: body },
    responses: answers.replay,
    handler: async (req, res, { params, identity, body: { since, dryRun } }) => {
      const id = params["id"] ?? "";
      const webhooks = selected(site.use("webhooks", { optional: true }), "webhooks");
      const result = await webhooks.replay(id, { since, isDryRun: dryRun });
      if (!dryRun) {
        const target = { type: "webhook", id };
        const details = { since, cursor: result.cursor, events: result.events };
        note(parts, req, { event: "webhook.replay", actor: identity, target, detail: details });
      }
      await site.http.json(req, res, result, { status: dryRun ? 200 : 202 });
    },
  });
}
