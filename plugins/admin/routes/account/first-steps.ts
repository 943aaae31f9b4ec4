import { z } from "zod";
import { ownUser } from "./session.js";
import type { RouteParts } from "../route-parts.js";

const guide = z.object({
  dismissed: z.boolean(),
  steps: z.array(z.object({ name: z.enum(["password", "title", "page"]), done: z.boolean() })),
});

/** The guide for new accounts, remembered for each. */
export function firstStepRoutes(parts: RouteParts): void {
  const { admin, site, account } = parts;
  admin.route({
    method: "get",
    path: "/me/first-steps",
    permission: "any",
    sessionOnly: true,
    summary: "First steps of a new account, and which are done",
    responses: { 200: guide },
    handler: async (req, res, { identity }) => {
      const { username } = await ownUser(parts, identity);
      await site.http.json(req, res, await account.firstSteps.of(identity, username));
    },
  });
  admin.route({
    method: "delete",
    path: "/me/first-steps",
    permission: "any",
    sessionOnly: true,
    summary: "Hide the first steps for good",
    responses: { 200: z.object({ dismissed: z.literal(true) }) },
    handler: async (req, res, { identity }) => {
      await ownUser(parts, identity);
      await account.firstSteps.dismiss(identity.id);
      await site.http.json(req, res, { dismissed: true });
    },
  });
}
