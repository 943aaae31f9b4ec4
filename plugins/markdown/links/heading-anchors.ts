/** Links of headings to themselves. */
import type { Element, ElementContent, Properties, Root } from "hast";
import rehypeAutolinkHeadings from "rehype-autolink-headings";
import { unified } from "unified";
import { headingLevel, isFootnoteLabel } from "../parse/headings.js";

const linked = unified()
  .use(rehypeAutolinkHeadings, {
    behavior: "append",
    test: takesAnchor,
    // An empty link named after its heading: the theme draws the icon; feeds and reader modes see
    // nothing.
    properties: ({ properties }): Properties => ({
      className: ["heading-anchor"],
      ariaLabelledBy: [String(properties["id"])],
    }),
    content: [],
  })
  .freeze();

/** Adds a link to each heading below the first level that has an id. */
export function linkHeadings(tree: Root): void {
  linked.runSync(tree);
}

function takesAnchor(element: Element): boolean {
  const { id } = element.properties;
  return headingLevel(element) > 1 && !isFootnoteLabel(id) && !hasAnchor(element.children.at(-1));
}

function hasAnchor(node: ElementContent | undefined): boolean {
  if (node?.type !== "element") return false;
  const { className } = node.properties;
  return Array.isArray(className) && className.includes("heading-anchor");
}
