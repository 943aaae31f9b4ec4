import type { Element, ElementContent, Root, RootContent } from "hast";

const PHRASING = new Set(
  "a abbr audio b bdi bdo br cite code del dfn em i img input ins kbd mark q s samp small span strong sub sup time u var video wbr".split(
    " ",
  ),
);

/** Returns the nodes that replace a mark, or null to leave it for later. */
export type Fill = (index: number, element: Element) => readonly RootContent[] | null;

/**
 * Replaces the elements whose class is `<token>-<index>`. A paragraph of nothing but marks is replaced
 * by its contents when these are blocks.
 */
export function fillMarks(parent: Root | Element, token: string, fill: Fill): void {
  const next: RootContent[] = [];
  for (const child of parent.children) {
    if (child.type !== "element") {
      next.push(child);
      continue;
    }
    const index = indexOf(child, token);
    const nodes = index === null ? null : fill(index, child);
    if (nodes !== null) {
      next.push(...nodes);
      continue;
    }
    const isAlone = child.tagName === "p" && isOnlyMarks(child, token);
    fillMarks(child, token, fill);
    if (isAlone && child.children.some(isBlock)) next.push(...child.children);
    else next.push(child);
  }
  parent.children = next as ElementContent[];
}

function indexOf({ properties: { className } }: Element, token: string): number | null {
  const name = Array.isArray(className) ? String(className[0]) : "";
  return name.startsWith(`${token}-`) ? Number(name.slice(token.length + 1)) : null;
}

function isOnlyMarks({ children }: Element, token: string): boolean {
  return children.every((child) =>
    child.type === "element"
      ? indexOf(child, token) !== null
      : child.type === "text" && child.value.trim() === "",
  );
}

function isBlock(node: RootContent): boolean {
  return node.type === "element" && !PHRASING.has(node.tagName);
}
