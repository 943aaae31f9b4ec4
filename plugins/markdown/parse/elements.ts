import type { Element, Nodes } from "hast";

/**
 * Calls `see` for every element below `tree`, in document order; much faster than a general
 * visitor.
 */
export function eachElement(tree: Nodes, see: (element: Element) => void): void {
  const waiting: Nodes[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "element") see(node);
    if (!("children" in node)) continue;
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined && child.type !== "text") waiting.push(child);
    }
  }
}

/** The text of an element and its descendants. */
export function elementText(element: Element): string {
  let text = "";
  for (const child of element.children) {
    if (child.type === "text") text += child.value;
    else if (child.type === "element") text += elementText(child);
  }
  return text;
}

/** The classes of an element. */
export function listClasses({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}

/** The language of a code block, in lower case; empty without one. */
export function codeLanguage(code: Element): string {
  const className = listClasses(code).find((name) => name.startsWith("language-"));
  return className === undefined ? "" : className.slice("language-".length).toLowerCase();
}
