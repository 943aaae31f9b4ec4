/** HTML of other systems as Markdown of this one. */
import type { Element, Root } from "hast";
import type {
  BlockContent,
  Blockquote,
  Html,
  Paragraph,
  PhrasingContent,
  Root as MarkdownRoot,
} from "mdast";
import rehypeRaw from "rehype-raw";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { slug } from "github-slugger";
import { visit } from "unist-util-visit";
import type { Handle, State } from "hast-util-to-mdast";
import { phrasing } from "mdast-util-phrasing";
import { toString } from "hast-util-to-string";
import { finderIn, withoutTags } from "#lib/text";
import { containerHandlers, markContainers } from "./html-containers.js";
import { footnoteHandlers, markFootnotes } from "./html-footnotes.js";
import { descendants, htmlNode, linkedImage, textOf, VOID_ELEMENTS } from "./html-nodes.js";
import { decoded } from "../plan/address-key.js";
import { embedAddress } from "./markdown-text.js";

const MAX_LENGTH = 5_000_000;
const MAX_DEPTH = 150;
const TAG = /<(\/?)([a-z][a-z0-9:-]{0,30})\b/gi;
/** Their end tags may be left out. */
const OPTIONAL: ReadonlySet<string> = new Set(
  "p li td tr th dd dt option tbody thead tfoot".split(" "),
);
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
type ChangeAddress = (address: string) => string;
/** Markdown, and the elements that it cannot hold. */
interface ConvertedText {
  readonly markdown: string;
  readonly lost: readonly string[];
}

/** Inline elements that the site shows as HTML. */
const INLINE = ["sub", "sup", "kbd", "mark", "ins", "u", "small", "abbr"];

/** Handlers of `hast-util-to-mdast`, for elements that Markdown has no plain counterpart for. */
const handlers: Record<string, Handle> = {
  ...containerHandlers,
  ...footnoteHandlers,
  ...Object.fromEntries(INLINE.map((name) => [name, inlineElement])),
  figure: (state, node: Element) => figure(state, node),
  iframe: (_state, node: Element) => frame(node),
  embed: (_state, node: Element) => frame(node),
  video: (_state, node: Element) => player(node),
  audio: (_state, node: Element) => player(node),
  details: (state, node: Element) => details(state, node),
  "site-alert": (state, node: Element) => alert(state, node),
  "site-anchor": (_state, node: Element) =>
    htmlNode(`<a id="${textOf(node.properties["id"])}"></a>`),
  "site-address": (_state, node: Element) => paragraph([htmlNode(toString(node))]),
};

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
  markContainers(tree);
  markFootnotes(tree);
  markAnchors(tree);
  const markdown = await converter.run(tree);
  if (markdown.type !== "root") return { markdown: "", lost };
  tidyParagraphs(markdown);
  visit(markdown, (node) => {
    if (node.type === "link" || node.type === "image") node.url = change(node.url);
  });
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

/** Elements whose first content may be an anchor. */
const ANCHORED = /^(?:a|div|h[1-6]|p|section|span)$/;
/** An id of an attribute without escapes; those of footnotes are not of this kind. */
const ID = /^(?!fn|footnote)[^\s"'<>&{}]{1,200}$/i;

/** Puts an anchor where links of the same text lead, except to headings that get this id anyway. */
function markAnchors(tree: Root): void {
  const linked = new Set<string>();
  visit(tree, "element", (node: Element) => {
    if (node.tagName !== "a") return;
    const href = textOf(node.properties["href"]);
    if (href.startsWith("#")) linked.add(decoded(href.slice(1)));
    // A place, which would become a link without an address.
    if (href === "") node.tagName = "span";
  });
  if (linked.size === 0) return;
  visit(tree, "element", (node: Element) => {
    if (!ANCHORED.test(node.tagName)) return;
    const { id: own, name } = node.properties;
    const id = textOf(own) || textOf(name);
    if (!ID.test(id) || !linked.delete(id)) return;
    if (/^h[1-6]$/.test(node.tagName) && slug(toString(node)) === id) return;
    const anchor: Element = {
      type: "element",
      tagName: "site-anchor",
      properties: { id },
      children: [],
    };
    node.children.unshift(anchor);
  });
}

/** Removes line breaks at the ends of paragraphs, and paragraphs without content. */
function tidyParagraphs(tree: MarkdownRoot): void {
  visit(tree, "paragraph", (node: Paragraph, index, parent) => {
    while (isBlank(node.children[0])) node.children.shift();
    while (isBlank(node.children.at(-1))) node.children.pop();
    if (node.children.length > 0 || parent === undefined || index === undefined) return undefined;
    parent.children.splice(index, 1);
    return index;
  });
}

function isBlank(node: PhrasingContent | undefined): boolean {
  if (node === undefined) return false;
  return node.type === "break" || (node.type === "text" && node.value.trim() === "");
}

/** True for HTML with more open elements at a time than any article has: it would exhaust the stack of a converter. */
export function isDeepHtml(html: string): boolean {
  let depth = 0;
  let done = 0;
  const find = finderIn(html);
  for (const { index, 1: slash, 2: name = "" } of html.matchAll(TAG)) {
    const close = find(">", index);
    if (close === null) break;
    if (index < done) continue;
    done = close.end;
    const tag = name.toLowerCase();
    if (VOID_ELEMENTS.has(tag) || OPTIONAL.has(tag) || html[close.start - 1] === "/") continue;
    depth = Math.max(0, depth + (slash === "/" ? -1 : 1));
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The text of HTML without its tags, safe as Markdown. */
export function plainText(html: string): string {
  const text = withoutTags(html, " ").replaceAll(/[<>]/g, " ");
  return `${text
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll("{{", "\\{{")
    .trim()}\n`;
}

function inlineElement(state: State, node: Element) {
  return [htmlNode(`<${node.tagName}>`), ...state.all(node), htmlNode(`</${node.tagName}>`)];
}

function paragraph(children: PhrasingContent[]): Paragraph {
  return { type: "paragraph", children };
}

/** A box beside the text, as an alert. */
function alert(state: State, node: Element): Blockquote {
  const content = state.all(node).filter((one): one is PhrasingContent => phrasing(one));
  return { type: "blockquote", children: [paragraph([htmlNode("[!NOTE]\n"), ...content])] };
}

/** A figure with one image: its caption becomes the title, which the site shows as caption. */
function figure(state: State, node: Element) {
  const images = descendants(node, (one) => one.tagName === "img");
  const nested = descendants(node, (one) => one.tagName === "figure");
  const captions = descendants(node, (one) => one.tagName === "figcaption");
  const [image] = images;
  if (image === undefined || images.length > 1 || nested.length > 0 || hasOther(node)) {
    return state.toFlow(state.all(node));
  }
  return paragraph([linkedImage(node, image, captions)]);
}

/** True for a figure that holds more than an image: a table, a quote, a player. */
function hasOther(node: Element): boolean {
  const others = ["table", "blockquote", "pre", "iframe", "video", "audio", "ul", "ol"];
  return descendants(node, ({ tagName }) => others.includes(tagName)).length > 0;
}

/** The frame of a provider becomes its address on a line; any other frame a link. */
function frame(node: Element) {
  const src = textOf(node.properties["src"]);
  if (!/^(?:https?:)?\/\//i.test(src)) return undefined;
  const address = embedAddress(src.startsWith("//") ? `https:${src}` : src);
  const title = textOf(node.properties["title"]);
  if (address !== null) return paragraph([htmlNode(address)]);
  return paragraph([formatLink(src, title === "" ? src : title)]);
}

function player(node: Element) {
  const sources = [node, ...descendants(node, ({ tagName }) => tagName === "source")];
  const src = sources.map(({ properties }) => textOf(properties["src"])).find((one) => one !== "");
  if (src === undefined) return undefined;
  const name =
    src
      .replace(/[?#].*$/s, "")
      .split("/")
      .at(-1) ?? src;
  return paragraph([formatLink(src, name)]);
}

function formatLink(url: string, label: string): PhrasingContent {
  return { type: "link", url, title: null, children: [{ type: "text", value: label }] };
}

function details(state: State, node: Element): (BlockContent | Html)[] {
  const summary = node.children.find(
    (one): one is Element => one.type === "element" && one.tagName === "summary",
  );
  const rest: Element = {
    ...node,
    tagName: "div",
    children: node.children.filter((one) => one !== summary),
  };
  const title = summary === undefined ? "" : toString(summary).replaceAll(/[<>&]/g, " ").trim();
  const content = state
    .toFlow(state.all(rest))
    .filter((one): one is BlockContent => one.type !== "definition");
  return [htmlNode(`<details>\n<summary>${title}</summary>`), ...content, htmlNode("</details>")];
}
