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

const includes = z
  .array(z.enum(["mkdocs", "mdbook", "vitepress", "obsidian"]))
  .default([])
  .describe(
    'Systems whose own lines include files, besides `::: include`: `--8<-- "file"`, `{{#include file}}`, `<!--@include: file-->`, `![[note]]`',
  );

const on = (text: string) => z.boolean().default(true).describe(text);

const syntax = z
  .strictObject({
    alerts: on("Alerts as on GitHub: a quote whose first line is `[!NOTE]`, `[!TIP]`, …"),
    directives: on("Containers: `:::note`, `::: tip Title`, `::: details`, tabs and code groups"),
    highlight: on("Colours in code blocks, by their language"),
    code_lines: on(
      "Titles, line numbers and marked lines of code blocks, and comments such as `[!code ++]`",
    ),
    math: z.boolean().default(false).describe("Formulas: `$…$` and `$$…$$`, rendered by KaTeX"),
    mermaid: on("Code blocks of the language `mermaid` are shown as diagrams"),
    emoji: on("Emoji by name: `:tada:`"),
    mark: on("Marked text: `==text==`"),
    sub_sup: on("Subscripts and superscripts: `H~2~O`, `x^2^`"),
    toc: on("A list of the page's headings: `[[toc]]`"),
    abbreviations: on("Explained abbreviations: `*[HTML]: HyperText Markup Language`"),
    figures: on("The title of an image that is alone in a paragraph becomes its caption"),
    wiki_links: on("Links to pages by title or file name: `[[Page]]`, `[[Page|text]]`"),
    margin_notes: on("Footnotes beside the text on wide screens, where the theme has room"),
  })
  .prefault({})
  .describe("Markdown beyond CommonMark and GFM");

/** Config keys of this plugin. */
export const settings = {
  site: z.object({
    markdown: syntax,
    trusted_html: z
      .boolean()
      .default(false)
      .describe(
        "Pages may set `trusted_html: true` to disable sanitising of their HTML. Every author can then run scripts in visitors' browsers.",
      )
      .meta({ privileged: true }),
  }),
  system: z.object({
    content: z.object({ markdown, includes }).prefault({}),
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
