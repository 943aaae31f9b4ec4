/**
 * Renders bodies of content files to HTML and plain text, by format: `md`, `mdx`, `tsx`, and those
 * of plugins.
 * Provides: markdown
 * Uses: content
 * Opens: imageAttributes, mdxComponents
 * Fires: onMarkdownProcess, onMarkdownProcessed
 */
import { definePlugin, expectFields } from "#kernel";
import { setUpMarkdown } from "./set-up.js";
import { settings } from "./settings.js";
import { markdownErrors } from "./errors.js";

export default definePlugin({
  name: "markdown",
  version: "1.0.0",
  errors: markdownErrors,
  description: "Renders Markdown, MDX and TSX pages",
  engine: "^1.0",
  requires: ["content"],
  settings,
  fires: {
    onMarkdownProcess: {
      kind: "transform",
      check: expectFields({ raw: ["string"], page: ["object"] }),
    },
    onMarkdownProcessed: {
      kind: "transform",
      check: expectFields({ html: ["string"], page: ["object"], trusted: ["boolean", "nothing"] }),
    },
  },
  setup: setUpMarkdown,
});
