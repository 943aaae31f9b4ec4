import type { Root } from "hast";
import { eachElement } from "../../parse/each-element.js";
import { classesOf } from "../../syntax/parts.js";
import type { RenderOptions } from "../render-options.js";

/** Languages of the code blocks; null when no block needs a highlighter. */
export function languagesOf(tree: Root, { syntax = [] }: RenderOptions): string[] | null {
  if (!syntax.includes("highlight") && !syntax.includes("code_lines")) return null;
  const found = new Set<string>();
  let hasBlocks = false;
  eachElement(tree, (element) => {
    if (element.tagName !== "code") return;
    hasBlocks = true;
    const own = classesOf(element).find((name) => name.startsWith("language-"));
    if (own !== undefined) found.add(own.slice("language-".length).toLowerCase());
  });
  found.delete("mermaid");
  return hasBlocks ? [...found] : null;
}
