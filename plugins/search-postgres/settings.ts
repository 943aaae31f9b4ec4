import { z } from "zod";

/** Schema of the `config:` block. */
export const config = z
  .strictObject({
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,40}$/, { error: "lower-case letters, digits and underscores" })
      .default("site_search")
      .describe("PostgreSQL schema of the index"),
    pool: z.int().min(1).max(50).default(4).describe("Maximum number of connections per node"),
  })
  .prefault({});

/** The `config:` block. */
export type SearchPostgresConfig = z.output<typeof config>;
