import { z } from "zod";

const jobs = z
  .strictObject({
    engine: z
      .enum(["files", "postgres", "redis"])
      .describe(
        "Where waiting jobs are stored: files of this server, or PostgreSQL or Redis for all nodes",
      )
      .default("files"),
  })
  .describe("Background jobs")
  .prefault({});

export const settings = { system: z.object({ jobs }) };
