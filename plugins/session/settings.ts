import { z } from "zod";
import type { SessionStoreSection } from "./contract.js";

const sessionStore = z
  .strictObject({
    type: z
      .enum(["local", "kv", "redis"])
      .describe("Where sessions are stored: files, one database file, or Redis")
      .default("local"),
    url: z
      .string()
      .regex(/^rediss?:\/\/\S+$/, { error: "a `redis://` or `rediss://` URL" })
      .nullable()
      .meta({ secret: true, outbound: true })
      .describe("URL of Redis, for `type: redis`")
      .default(null),
  })
  .superRefine((value, context) => {
    if (value.type !== "redis" || value.url !== null) return;
    context.addIssue({
      code: "custom",
      path: ["url"],
      message: "the address of Redis",
      params: { fix: "add `url: $REDIS_URL`, or use `type: local`" },
    });
  })
  .describe("Where sessions of visitors and admins are stored")
  .meta({ privileged: true })
  .prefault({}) satisfies z.ZodType<SessionStoreSection>;

export const settings = { system: z.object({ session_store: sessionStore }) };
