import type { Root, RootContent } from "hast";

/** Marks each top-level element with its line in the file: `data-line`. */
export function markLines(tree: Root, linesAbove: number): void {
  for (const node of tree.children) {
    if (node.type !== "element" || node.position === undefined) continue;
    node.properties["dataLine"] = String(linesAbove + node.position.start.line);
  }
}

/** Gives inserted nodes the position of the node that they replace. */
export function placed(nodes: readonly RootContent[], at: RootContent): readonly RootContent[] {
  for (const node of nodes) {
    if (at.position === undefined) delete node.position;
    else node.position = at.position;
  }
  return nodes;
}
