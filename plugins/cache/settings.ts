import { z } from "zod";

const seconds = z.int().min(0).max(31_536_000);

/** Parameters that newsletters, advertisements and social networks add to links. */
const TRACKING = [
  "utm_*",
  "gclid",
  "gbraid",
  "wbraid",
  "dclid",
  "fbclid",
  "msclkid",
  "mc_*",
] as const;

const rule = z.strictObject({
  pattern: z
    .string()
    .regex(/^\/[^\s\p{Cc}]*$/u, { error: "a path such as `/blog`" })
    .describe("Path or prefix of paths; the longest match wins"),
  max_age: seconds
    .describe("Seconds for which a browser may use the answer without asking")
    .optional(),
  stale_while_revalidate: seconds
    .describe("Seconds for which an old answer may be shown while a new one is fetched")
    .optional(),
  no_store: z
    .boolean()
    .describe("Send no-store: no browser or proxy may store the response")
    .default(false),
});

const httpCache = z
  .strictObject({
    default_max_age: seconds
      .describe("Seconds for which a browser may use an answer without asking; 0: asks every time")
      .default(0),
    default_swr: seconds
      .describe("Seconds for which an old answer may be shown while a new one is fetched")
      .default(60),
    rules: z.array(rule).describe("Other times for some paths").default([]),
    tracking_parameters: z
      .array(z.string().regex(/^[\w.-]+\*?$/, { error: "a name of a parameter such as `utm_*`" }))
      .describe(
        "Query parameters that only track visitors; pages and caches ignore them; a trailing `*` matches any suffix",
      )
      .default([...TRACKING]),
  })
  .describe("How long browsers and proxies keep pages")
  .prefault({});

const pageCache = z
  .strictObject({
    enabled: z.boolean().describe("Keeps rendered pages in memory").default(false),
    max_entries: z
      .int()
      .min(1)
      .describe("Maximum number of cached pages; the oldest are evicted first")
      .default(500),
    ttl: z.number().min(0).describe("Seconds for which a page is cached").default(30),
    warm: z.boolean().describe("Renders all pages at start").default(false),
  })
  .describe("Cache of rendered pages")
  .prefault({});

export const settings = {
  site: z.object({ http_cache: httpCache }),
  system: z.object({ page_cache: pageCache }),
};
