import type { Link, Root, Text } from "mdast";
import { visit, type BuildVisitor } from "unist-util-visit";

/** Turns automatically linked addresses back into text. */
export function unlinkBareUrls(tree: Root, source: string): void {
  const unlink: BuildVisitor<Root, "link"> = (node, index, parent) => {
    if (parent === undefined || index === undefined || isMarked(node, source)) return;
    parent.children.splice(index, 1, ...node.children);
    joinText(parent.children, index);
    return index;
  };
  visit(tree, "link", unlink);
}

// Links made from text nodes have no position; those of the parser start with the address itself.
function isMarked(node: Link, source: string): boolean {
  const offset = node.position?.start.offset;
  return offset !== undefined && (source[offset] === "[" || source[offset] === "<");
}

function joinText(children: { type: string }[], index: number): void {
  const [before, text, after] = [children[index - 1], children[index], children[index + 1]];
  if (!isText(text)) return;
  if (isText(after)) {
    text.value += after.value;
    children.splice(index + 1, 1);
  }
  if (isText(before)) {
    before.value += text.value;
    children.splice(index, 1);
  }
}

function isText(node: { type: string } | undefined): node is Text {
  return node?.type === "text";
}
