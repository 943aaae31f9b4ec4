import { z } from "zod";
import { BUILT_IN_ROLES, PERMISSIONS } from "./accounts/permissions.js";

/** First segments of other routes. */
const TAKEN: readonly string[] = [
  "api",
  "auth",
  "health",
  "_site",
  "content-media",
  "uploads",
  "payments",
  "flex",
  "search",
];

const path = z
  .string()
  .regex(/^\/[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/, { error: "a path such as `/admin`" })
  .refine((value) => !TAKEN.includes(value.split("/")[1] ?? ""), {
    error: "a path that no other part of the site uses",
    params: { fix: "use /admin" },
  });

const role = z.strictObject({
  permissions: z
    .array(z.enum(PERMISSIONS))
    .min(1)
    .describe("What the role allows; permissions of pages and media may be limited by `paths`"),
  paths: z
    .array(z.string().regex(/^[^/\\][^\\]*$/, { error: "a pattern such as `blog/**`" }))
    .min(1)
    .nullable()
    .describe("Patterns of paths below the content folder; null: everywhere")
    .default(null),
});
const roleName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, { error: "letters, digits, _ and -" })
  .refine((name) => !BUILT_IN_ROLES.has(name), {
    error: "a name that is not admin, editor or author",
  });

export const settings = {
  admin: z.object({
    enabled: z.boolean().describe("Enables the admin API").default(true),
    path: path.describe("URL prefix of the admin API and panel").default("/admin"),
    sessionLifetime: z
      .int()
      .min(1)
      .max(31_536_000)
      .describe("Lifetime of a login in seconds")
      .default(86_400),
    roles: z
      .record(roleName, role)
      .describe("Roles of the panel beside admin, editor and author")
      .default({}),
  }),
};
