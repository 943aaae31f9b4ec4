/** Links to headings: the list that `[[toc]]` stands for, and the link of each heading to itself. */
import type { Element, ElementContent, Properties, Root } from "hast";
import rehypeAutolinkHeadings from "rehype-autolink-headings";
import { unified } from "unified";
import type { Rendered } from "../../contract.js";
import { headingLevel, isFootnoteLabel } from "../../parse/headings.js";
import { wordOf } from "../../syntax/containers.js";

/** Lists the headings of levels 2 and 3 in the places of `[[toc]]`. */
export function fillTocs(
  tocs: readonly Element[],
  headings: Rendered["headings"],
  lang: string,
): void {
  const listed = headings.filter(({ level }) => level === 2 || level === 3);
  for (const toc of tocs) {
    toc.tagName = "nav";
    toc.properties = { className: ["toc"], ariaLabel: wordOf("toc", lang) };
    toc.children = listed.length === 0 ? [] : [listOf(listed)];
  }
}

function listOf(headings: Rendered["headings"]): Element {
  const items: Element[] = [];
  for (const heading of headings) {
    const link = node("a", [{ type: "text", value: heading.text }], { href: `#${heading.id}` });
    const last = items.at(-1);
    if (heading.level === 2 || last === undefined) {
      items.push(node("li", [link]));
      continue;
    }
    const below = last.children[1];
    if (below?.type === "element") below.children.push(node("li", [link]));
    else last.children.push(node("ul", [node("li", [link])]));
  }
  return node("ul", items);
}

function node(
  tagName: string,
  children: ElementContent[],
  properties: Element["properties"] = {},
): Element {
  return { type: "element", tagName, properties, children };
}

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
