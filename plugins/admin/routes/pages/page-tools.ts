import { z } from "zod";
import type { RouteTool } from "#kernel/internal";

const path = z.string().describe("New file below the content folder: blog/hello/default.md");
const content = z
  .string()
  .describe("The whole file: front matter between lines of ---, then Markdown");

/** The routes of pages as tools of agents. */
export const pageTools = {
  source: {
    name: "read_source",
    description:
      "The source of a page, drafts included: front matter, Markdown body, and its path. Read it before you change a page",
  },
  create: {
    name: "create_page",
    description: "Create a page. Without the right to publish it starts as a draft",
    body: z.object({ path, content }),
  },
  write: {
    name: "write_page",
    description:
      "Change a page: the whole file (content), or only keys of the front matter (frontmatter) and the text (body)",
  },
  propose: {
    name: "propose_page",
    effect: "propose",
    description:
      "Propose a new text for a page as a working copy, and ask for a review. A person publishes it in the panel",
    fixed: { review: true },
  },
} as const satisfies Record<string, RouteTool>;
