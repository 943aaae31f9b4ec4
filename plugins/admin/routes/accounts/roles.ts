import { z } from "zod";
import { PERMISSIONS } from "../../accounts/permissions.js";
import type { RouteParts } from "../route-parts.js";

const text = z.string();
const list = z.object({
  items: z.array(
    z.object({
      ...{ name: text, permissions: z.array(text), builtIn: z.boolean() },
      paths: z.array(text).nullable().describe("Where permissions of pages and media apply"),
    }),
  ),
  total: z.int(),
  permissions: z.array(text).describe("Every permission"),
});

/** The roles that open the panel. */
export function roleRoutes({ admin, site, account }: RouteParts): void {
  admin.route({
    method: "get",
    path: "/roles",
    permission: "users.manage",
    summary: "Roles of the panel, built-in ones and those of admin.yaml",
    responses: { 200: list },
    handler: async (req, res) => {
      const items = account.roles.all;
      await site.http.json(req, res, { items, total: items.length, permissions: PERMISSIONS });
    },
  });
}
