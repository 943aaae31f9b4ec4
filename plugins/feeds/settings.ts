import { z } from "zod";

const route = z
  .string()
  .regex(/^\/[^\s\\\p{Cc}]*$/u, { error: "a path on this site, such as `/drafts`" });
const frequency = z.enum(["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]);

const feed = z
  .strictObject({
    enabled: z.boolean().describe("Serves `/feed.xml` and `/atom.xml`").default(true),
    items: z.int().min(1).max(1000).describe("Most recent dated pages in the feed").default(20),
    content: z
      .enum(["summary", "full"])
      .describe("Which part of a page the feed contains")
      .default("summary"),
  })
  .describe("RSS and Atom feeds")
  .prefault({});

const sitemap = z
  .strictObject({
    exclude: z.array(route).describe("Route prefixes excluded from `/sitemap.xml`").default([]),
    changefreq: z
      .record(route, frequency)
      .describe("Change frequency of pages below a route; the longest prefix wins")
      .default({}),
  })
  .describe("The sitemap")
  .prefault({});

export const settings = { site: z.object({ feed, sitemap }) };
