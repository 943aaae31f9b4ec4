import { z } from "zod";

const changes = z
  .strictObject({
    max_entries: z
      .int()
      .min(10)
      .max(1_000_000)
      .describe("Changes that are stored at least, unless they are older than `max_days`")
      .default(10_000),
    max_days: z
      .int()
      .min(1)
      .max(3_650)
      .describe("Days after which stored changes are deleted")
      .default(30),
  })
  .describe("What `GET /api/changes` and replayed webhooks start from")
  .prefault({});

export const settings = { system: z.object({ changes }) };
