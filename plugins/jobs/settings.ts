import { z } from "zod";

const jobs = z
  .strictObject({
    engine: z
      .enum(["files", "postgres"], {
        error: ({ input }) =>
          input === "redis"
            ? "jobs in Redis are no longer supported: set `jobs.engine: postgres`, and SITE_DB_URL to the address of a database"
            : undefined,
      })
      .describe("Where waiting jobs are stored: files of this server, or PostgreSQL for all nodes")
      .default("files"),
  })
  .describe("Background jobs")
  .prefault({});

export const settings = { system: z.object({ jobs }) };
