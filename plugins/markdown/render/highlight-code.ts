import type { Element, Root } from "hast";
import rehypeHighlight from "rehype-highlight";
import { unified } from "unified";
import { eachElement } from "../parse/each-element.js";
import { assertShallow } from "../parse/nesting.js";

/** Marks the code of a tree. */
export type Highlight = (tree: Root) => void;

const highlight = unified().use(rehypeHighlight, { detect: false }).freeze();

/**
 * Highlights code by its language. This file loads 190 languages: import it when there is code.
 * @throws RangeError for code that nests too deeply: languages nest templates in templates.
 */
export function highlightCode(tree: Root): void {
  highlight.runSync(tree);
  eachElement(tree, unmarkPlainCode);
  assertShallow(tree);
}

/** The highlighter marks code of unknown languages too; theirs keeps just `language-…` (CommonMark). */
function unmarkPlainCode({ tagName, properties, children }: Element): void {
  const { className } = properties;
  if (tagName !== "code" || !Array.isArray(className)) return;
  if (className[0] !== "hljs" || children.some(({ type }) => type === "element")) return;
  properties.className = className.slice(1);
}
