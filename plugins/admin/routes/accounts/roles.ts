import { z } from "zod";
import { PERMISSION_LANGUAGES, PERMISSION_TEXTS, PERMISSIONS } from "../../accounts/permissions.js";
import type { RouteParts } from "../route-parts.js";

const text = z.string();
const list = z.object({
  items: z.array(
    z.object({
      name: text,
      permissions: z.array(text),
      builtIn: z.boolean(),
      paths: z.array(text).nullable().describe("Where permissions of pages and media apply"),
    }),
  ),
  total: z.int(),
  permissions: z.array(text).describe("Every permission"),
});

const explained = z.object({
  items: z.array(
    z.object({
      name: text,
      title: text,
      description: text.describe("What it allows, in one sentence"),
      own: z.boolean().describe("Whether the signed-in identity has it"),
    }),
  ),
  total: z.int(),
});
const textsQuery = z.object({
  lang: z.enum(PERMISSION_LANGUAGES).default("en").describe("Language of the texts"),
});

/** The roles that open the panel, and what their permissions allow. */
export function roleRoutes({ admin, site, account }: RouteParts): void {
  admin.route({
    method: "get",
    path: "/permissions",
    permission: "any",
    summary: "Every permission with its title and what it allows",
    responses: { 200: explained },
    query: textsQuery,
    handler: async (req, res, { query, identity }) => {
      const items = PERMISSIONS.map((name) => ({
        name,
        ...PERMISSION_TEXTS[name][query.lang],
        own: identity.permissions.has(name),
      }));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
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
