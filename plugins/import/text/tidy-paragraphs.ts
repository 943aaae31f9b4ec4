import type { Paragraph, PhrasingContent, Root } from "mdast";
import { visit } from "unist-util-visit";

/** Removes line breaks at the ends of paragraphs, and paragraphs without content. */
export function tidyParagraphs(tree: Root): void {
  visit(tree, "paragraph", (node: Paragraph, index, parent) => {
    while (isBlank(node.children[0])) node.children.shift();
    while (isBlank(node.children.at(-1))) node.children.pop();
    if (node.children.length > 0 || parent === undefined || index === undefined) return undefined;
    parent.children.splice(index, 1);
    return index;
  });
}

function isBlank(node: PhrasingContent | undefined): boolean {
  if (node === undefined) return false;
  return node.type === "break" || (node.type === "text" && node.value.trim() === "");
}
