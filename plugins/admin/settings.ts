import { z } from "zod";
import { httpUrl } from "#kernel";
import { isExposedUrl } from "#lib/urls";
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
  pages: z
    .enum(["all", "own"])
    .describe(
      "`own`: changes, publishes, moves and deletes only pages that the account owns, and their media; reads all",
    )
    .default("all"),
});
const roleName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, { error: "letters, digits, _ and -" })
  .refine((name) => !BUILT_IN_ROLES.has(name), {
    error: "a name that is not admin, editor or author",
  });

const oidc = z.strictObject({
  issuer: httpUrl()
    .refine((value) => !isExposedUrl(value), {
      error: "an https address, or http on this machine",
    })
    .describe("Address of the OpenID provider")
    .meta({ outbound: true }),
  client_id: z.string().min(1).describe("Client id of the site there"),
  client_secret_env: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, { error: "the name of a variable such as PANEL_OIDC_SECRET" })
    .describe("Environment variable with the client secret"),
  label: z
    .string()
    .min(1)
    .max(60)
    .describe("Name of the provider on the login page")
    .default("single sign-on"),
  scopes: z
    .array(z.string().min(1))
    .describe("Requested beside openid")
    .default(["email", "profile"]),
  roles_claim: z
    .string()
    .min(1)
    .describe("Claim with the roles, a text or a list; dots lead into objects")
    .default("roles"),
  roles: z
    .record(z.string().min(1), z.string().min(1).meta({ grantsRole: true }))
    .describe("Value of the claim: role of the panel"),
  create: z.boolean().describe("Creates an account at the first login").default(true),
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
      .meta({ privileged: true })
      .default({}),
    oidc: oidc
      .describe("Login of the panel with an OpenID provider")
      .meta({ privileged: true })
      .optional(),
    edit_link: z
      .boolean()
      .describe("Shows a link to the editor on public pages, in browsers signed in to the panel")
      .default(true),
    trash_days: z
      .int()
      .min(0)
      .max(3_650)
      .describe("Days for which deleted pages and media can be restored; 0: not at all")
      .default(30),
  }),
};
