import { z } from "zod";
import type { SearchSection } from "./contract.js";

/** The built-in engine. */
export const BUILT_IN = "builtin";

const field = z
  .string()
  .regex(/^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/u, { error: "a dot path into the front matter" });

const search = z
  .strictObject({
    customFields: z
      .array(field)
      .describe("Further front-matter fields to search: text or lists of text")
      .default([]),
    highlight: z.boolean().describe("Marks the matched words in excerpts").default(true),
    excerpt_length: z.int().min(20).max(2000).describe("Characters of an excerpt").default(160),
    include_flex: z.array(z.string()).describe("Flex types whose records are searched").default([]),
    facets: z
      .array(
        z.strictObject({
          field: field.describe("Dot path into the front matter, such as `taxonomy.category`"),
        }),
      )
      .describe("Fields by which results are counted and filtered")
      .default([]),
    fields: z
      .record(
        z.string(),
        z.strictObject({
          weight: z.number().min(0).max(1000).describe("Multiplier of a match in this field"),
        }),
      )
      .describe("Weights of fields; unlisted ones keep theirs: title 3, taxonomy 2, others 1")
      .default({}),
    page_size: z
      .int()
      .min(1)
      .max(500)
      .nullable()
      .describe("Results of one answer; null: 20 for the API, 50 for the search page")
      .default(null),
    engine: z
      .string()
      .min(1)
      .describe("The search engine: `builtin` or one that a plugin brings")
      .default(BUILT_IN),
    timeout_ms: z
      .int()
      .min(100)
      .max(60_000)
      .describe("Milliseconds after which a slow engine is given up")
      .default(5000),
    analytics_max_mb: z
      .number()
      .min(0)
      .describe("Maximum size of the search analytics, in MB; 0 disables them")
      .default(50),
    syntax: z
      .enum(["plain", "extended"])
      .describe('`extended`: `"two words"` is a phrase, and `-word` an exclusion')
      .default("plain"),
    similar: z
      .strictObject({
        typo: z.boolean().describe("Words with one or two wrong letters").default(true),
        synonyms: z
          .string()
          .regex(/^(?!\/)(?!.*\.\.)[^\0\\]+$/, { error: "a path below the site's folder" })
          .describe("File of synonyms and stop words")
          .meta({ privileged: true })
          .default("search/synonyms.yaml"),
        stemming: z.boolean().describe("Words with the same stem").default(false),
      })
      .describe("What similar hits are found by, beside the exact ones")
      .prefault({}),
  })
  .describe("Search")
  .prefault({}) satisfies z.ZodType<SearchSection>;

export const settings = { system: z.object({ search }) };
