import { z } from "zod";

/** First segments that belong to other routes. */
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
    enabled: z.boolean().describe("Whether there is an admin API").default(true),
    path: path.describe("Prefix of its addresses").default("/admin"),
    sessionLifetime: z
      .int()
      .min(1)
      .max(31_536_000)
      .describe("Seconds for which a login lasts")
      .default(86_400),
  }),
};
