import { z } from "zod";

const cluster = z
  .strictObject({
    enabled: z.boolean().describe("Connects this server with the other nodes").default(false),
    transport: z
      .enum(["postgres"], {
        error: "the nodes share PostgreSQL: set postgres, and SITE_DB_URL on each node",
      })
      .describe("What connects the nodes: PostgreSQL (`SITE_DB_URL`)")
      .default("postgres"),
    node: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/, {
        error: "up to 64 letters, digits, dots, colons, hyphens and underscores",
      })
      .nullable()
      .describe("Name of this node; null: from the host name and the root folder")
      .default(null),
  })
  .describe("Several servers for one site")
  .prefault({});

export const settings = { system: z.object({ cluster }) };
