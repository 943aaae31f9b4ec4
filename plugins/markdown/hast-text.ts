import type { Element } from "hast";
import { visit } from "unist-util-visit";

/** The text of an element and all within it. */
export function toString(element: Element): string {
  let text = "";
  visit(element, "text", (node) => {
    text += node.value;
  });
  return text;
}
