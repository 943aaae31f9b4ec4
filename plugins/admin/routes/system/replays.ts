import { z } from "zod";
import { answers } from "../answers.js";
import { note, selected, type RouteParts } from "../route-parts.js";

const BODY_BYTES = 16_384;

const body = z.object({
  since: z.string().max(100).describe("A cursor of `GET /api/changes`"),
  dryRun: z.boolean().describe("True: only count the events").default(false),
});

const text = z.string();
const endpoint = z.object({
  id: text.describe("Index in `webhooks` of admin.yaml: names the endpoint for a replay"),
  label: text,
  url: text,
  events: z.array(text),
  enabled: z.boolean(),
});

/** The endpoints of webhooks, and `POST {admin.path}/api/webhooks/{id}/replay`. */
export function replayRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "get",
    path: "/webhooks",
    permission: "config.read",
    summary: "The endpoints of webhooks, without their secrets",
    responses: { 200: z.object({ items: z.array(endpoint), total: z.int() }) },
    handler: async (req, res) => {
      selected(site.use("webhooks", { optional: true }), "webhooks");
      const { webhooks } = site.settings.admin;
      const items = webhooks.map(({ label = "", url, events, enabled }, at) => ({
        id: String(at),
        label,
        url,
        events,
        enabled,
      }));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
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
