/** HTML of other systems as Markdown of this one. */
import type { Element, Root } from "hast";
import type { Image, Link, Nodes as MarkdownNodes } from "mdast";
import rehypeRaw from "rehype-raw";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { handlers } from "./html-handlers.js";
import { tidyParagraphs } from "./tidy-paragraphs.js";
import { isDeepHtml, plainText } from "./html-depth.js";

const MAX_LENGTH = 5_000_000;
/** Removed with everything in them. */
const DROPPED: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "object",
  "link",
  "meta",
]);
/** Left out, their text stays. */
const LOST: ReadonlySet<string> = new Set([
  "form",
  "input",
  "button",
  "select",
  "textarea",
  "canvas",
]);

/** Changes a link or image of a text: returns the new address. */
export type ChangeAddress = (address: string) => string;
/** Markdown, and the elements that it cannot hold. */
export interface ConvertedText {
  readonly markdown: string;
  readonly lost: readonly string[];
}

const parser = unified().use(rehypeRaw);
const converter = unified().use(rehypeRemark, { handlers });
const writer = unified()
  .use(remarkGfm)
  .use(remarkStringify, {
    bullet: "-",
    emphasis: "_",
    rule: "-",
    fences: true,
    listItemIndent: "one",
    // Braces would be a shortcode.
    unsafe: [{ character: "{", after: "\\{" }],
  });

/** Converts HTML. Links and images get the address that `change` returns. Never throws. */
export async function htmlToMarkdown(html: string, change: ChangeAddress): Promise<ConvertedText> {
  if (html.length > MAX_LENGTH || isDeepHtml(html)) {
    return {
      markdown: plainText(html.slice(0, MAX_LENGTH)),
      lost: ["HTML nested too deeply, or longer than 5 MB"],
    };
  }
  const tree = await parser.run({ type: "root", children: [{ type: "raw", value: html }] });
  if (tree.type !== "root") return { markdown: "", lost: [] };
  const lost = clean(tree);
  const markdown = await converter.run(tree);
  if (markdown.type !== "root") return { markdown: "", lost };
  tidyParagraphs(markdown);
  visit(markdown, (node) => changeNode(node, change));
  return { markdown: writer.stringify(markdown), lost };
}

/** Removes what a page must not have; returns the names of what was lost. */
function clean(tree: Root): string[] {
  const lost = new Set<string>();
  visit(tree, "element", (node: Element, index, parent) => {
    if (LOST.has(node.tagName)) lost.add(node.tagName);
    if (!DROPPED.has(node.tagName) || parent === undefined || index === undefined) return undefined;
    if (node.tagName !== "link" && node.tagName !== "meta") lost.add(node.tagName);
    parent.children.splice(index, 1);
    return index;
  });
  return [...lost];
}

function changeNode(node: MarkdownNodes, change: ChangeAddress): void {
  if (isAddressed(node)) node.url = change(node.url);
}

function isAddressed(node: MarkdownNodes): node is Link | Image {
  return node.type === "link" || node.type === "image";
}
