import { z } from "zod";

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
    trash_days: z
      .int()
      .min(0)
      .max(3_650)
      .describe("Days for which deleted pages and media can be restored; 0: not at all")
      .default(30),
  }),
};
