/** HTML of a page as the content of a post: absolute addresses, no shortcodes, no added paragraphs. */
import type { Nodes } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";

const ADDRESSES = ["href", "src", "poster", "data"];
/** Stands for a bracket that would start a shortcode; not a character of any text. */
const BRACKET = "\uFDD0";

const parser = unified().use(rehypeRaw);
const writer = unified().use(rehypeStringify);

/** `base` is the address of the site, without a slash at the end. */
export async function postBody(html: string, base: string): Promise<string> {
  if (html.trim() === "") return "";
  const value = html.replaceAll(BRACKET, "");
  const tree = await parser.run({ type: "root", children: [{ type: "raw", value }] });
  if (tree.type !== "root") return "";
  visit(tree, (node) => changeNode(node, base));
  const text = writer.stringify(tree).replaceAll(BRACKET, "&#91;");
  return `<!-- wp:html -->\n${text}\n<!-- /wp:html -->`;
}

function changeNode(node: Nodes, base: string): void {
  if (node.type === "text") node.value = node.value.replaceAll(/\[(?=[a-z/])/gi, BRACKET);
  if (node.type !== "element") return;
  for (const name of ADDRESSES) {
    const value = node.properties[name];
    if (typeof value === "string" && /^\/(?!\/)/.test(value)) node.properties[name] = base + value;
  }
  // Sizes that the server renders; the original is in `src`.
  delete node.properties["srcSet"];
  delete node.properties["sizes"];
}
