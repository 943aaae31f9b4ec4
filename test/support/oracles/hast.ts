import type { Element, ElementContent, Properties } from "hast";

/** An HTML element of a syntax tree; texts stand for text nodes. */
export function h(
  tagName: string,
  properties: Properties = {},
  children: readonly (ElementContent | string)[] = [],
): Element {
  return {
    type: "element",
    tagName,
    properties,
    children: children.map((child) =>
      typeof child === "string" ? { type: "text", value: child } : child,
    ),
  };
}
