import { z } from "zod";

const records = z
  .strictObject({
    store: z
      .enum(["files", "postgres"])
      .describe("Where they are stored: files of this server, or the database of all nodes")
      .default("files"),
  })
  .describe(
    "API tokens, working copies, audit log, deliveries of webhooks, journal of changes, search analytics",
  )
  .prefault({});

export const settings = { system: z.object({ records }) };
