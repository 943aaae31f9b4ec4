import { z } from "zod";

const jobs = z
  .strictObject({
    engine: z
      .enum(["files", "postgres"])
      .describe("Where waiting jobs are stored: files of this server, or the database of all nodes")
      .default("files"),
  })
  .describe("Background jobs")
  .prefault({});

const records = z
  .strictObject({
    store: z
      .enum(["files", "postgres"])
      .describe("Where they are stored: files of this server, or the database of all nodes")
      .default("files"),
  })
  .describe("API tokens, working copies, audit log, deliveries of webhooks, search analytics")
  .prefault({});

export const settings = { system: z.object({ jobs, records }) };
