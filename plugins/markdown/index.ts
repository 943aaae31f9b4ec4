/**
 * Renders bodies of content files to HTML and plain text, by format: `md`, `mdx`, `tsx`, and those
 * of plugins.
 * Provides: markdown
 * Uses: content
 * Opens: imageAttributes, mdxComponents
 * Fires: onMarkdownProcess, onMarkdownProcessed
 */
import { definePlugin, expectFields, OptionalPackages } from "#kernel";
import { settings } from "./settings.js";
import { markdownErrors } from "./errors.js";

const packages = new OptionalPackages({
  plugin: "markdown",
  packages: ["@mdx-js/mdx"],
  neededBy: async ({ paths }) => {
    const { glob } = await import("tinyglobby");
    const [first] = await glob("**/*.mdx", { cwd: paths.content });
    return first === undefined ? null : `content/${first}`;
  },
});

export default definePlugin({
  name: "markdown",
  version: "1.0.0",
  errors: markdownErrors,
  description: "Renders Markdown, MDX and TSX pages",
  requires: ["content"],
  settings,
  diagnostics: [packages.diagnostic],
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
  async setup(site) {
    await packages.assertInstalled(site);
    const { setUpMarkdown } = await import("./set-up.js");
    setUpMarkdown(site);
  },
});
