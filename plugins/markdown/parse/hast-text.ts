import type { Element } from "hast";

/** The text of an element and its descendants. */
export function textOf(element: Element): string {
  let text = "";
  for (const child of element.children) {
    if (child.type === "text") text += child.value;
    else if (child.type === "element") text += textOf(child);
  }
  return text;
}
