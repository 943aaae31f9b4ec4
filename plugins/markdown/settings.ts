import { z } from "zod";

const markdown = z
  .strictObject({
    extra: z
      .boolean()
      .default(true)
      .describe("Footnotes, definition lists, and ids on headings (`## Title {#id}` sets one)"),
    auto_links: z
      .boolean()
      .default(true)
      .describe("Addresses in angle brackets (`<https://…>`, `<me@example.org>`) become links"),
    auto_url_links: z.boolean().default(true).describe("Bare addresses in the text become links"),
  })
  .prefault({})
  .describe("How Markdown is parsed");

/** Config keys of this plugin. */
export const settings = {
  site: z.object({
    trusted_html: z
      .boolean()
      .default(false)
      .describe(
        "Pages may set `trusted_html: true` to disable sanitising of their HTML. Every author can then run scripts in visitors' browsers.",
      ),
  }),
  system: z.object({
    content: z.object({ markdown }).prefault({}),
    typography: z
      .strictObject({
        orphan_protection: z
          .boolean()
          .default(true)
          .describe("A non-breaking space before the last word of paragraphs"),
      })
      .prefault({})
      .describe("Typographic improvements of rendered text"),
  }),
};
