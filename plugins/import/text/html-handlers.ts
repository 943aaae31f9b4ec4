/** Elements that Markdown has no plain counterpart for. */
import type { Element, ElementContent } from "hast";
import type { Handle, State } from "hast-util-to-mdast";
import { phrasing } from "mdast-util-phrasing";
import type { BlockContent, Blockquote, Html, Image, Paragraph, PhrasingContent } from "mdast";
import { toString } from "hast-util-to-string";
import { embedAddress } from "./embed-address.js";

/** Inline elements that the site shows as HTML. */
const INLINE = ["sub", "sup", "kbd", "mark", "ins", "u", "small", "abbr"];

const inlineHandle: Handle = (state, node: Element) => {
  const content = state.all(node);
  return [htmlNode(`<${node.tagName}>`), ...content, htmlNode(`</${node.tagName}>`)];
};

/** Handlers of `hast-util-to-mdast`. */
export const handlers: Record<string, Handle> = {
  ...Object.fromEntries(INLINE.map((name) => [name, inlineHandle])),
  figure: (state, node: Element) => figure(state, node),
  iframe: (state, node: Element) => frame(state, node),
  embed: (state, node: Element) => frame(state, node),
  video: (_state, node: Element) => player(node),
  audio: (_state, node: Element) => player(node),
  details: (state, node: Element) => details(state, node),
  "site-alert": (state, node: Element) => alert(state, node),
  "site-address": (_state, node: Element) => paragraph([htmlNode(toString(node))]),
};

function htmlNode(value: string): Html {
  return { type: "html", value };
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
  const images = find(node, (one) => one.tagName === "img");
  const nested = find(node, (one) => one.tagName === "figure");
  const captions = find(node, (one) => one.tagName === "figcaption");
  const [image] = images;
  if (image === undefined || images.length > 1 || nested.length > 0 || hasOther(node)) {
    return state.toFlow(state.all(node));
  }
  const caption = captions.map(toString).join(" ").replaceAll(/\s+/g, " ").trim();
  const shown = imageOf(image, caption);
  const link = find(
    node,
    (one) => one.tagName === "a" && find(one, (inner) => inner === image).length > 0,
  )[0];
  const href = link === undefined ? "" : text(link.properties["href"]);
  if (href === "" || href === shown.url) return paragraph([shown]);
  return paragraph([{ type: "link", url: href, title: null, children: [shown] }]);
}

/** True for a figure that holds more than an image: a table, a quote, a player. */
function hasOther(node: Element): boolean {
  const others = ["table", "blockquote", "pre", "iframe", "video", "audio", "ul", "ol"];
  return find(node, ({ tagName }) => others.includes(tagName)).length > 0;
}

function imageOf(node: Element, caption: string): Image {
  const { src, alt } = node.properties;
  return { type: "image", url: text(src), alt: text(alt), title: caption === "" ? null : caption };
}

/** The frame of a provider becomes its address on a line; any other frame a link. */
function frame(_state: State, node: Element) {
  const src = text(node.properties["src"]);
  if (!/^(?:https?:)?\/\//i.test(src)) return undefined;
  const address = embedAddress(src.startsWith("//") ? `https:${src}` : src);
  const title = text(node.properties["title"]);
  if (address !== null) return paragraph([htmlNode(address)]);
  return paragraph([linkTo(src, title === "" ? src : title)]);
}

function player(node: Element) {
  const sources = [node, ...find(node, ({ tagName }) => tagName === "source")];
  const src = sources.map(({ properties }) => text(properties["src"])).find((one) => one !== "");
  if (src === undefined) return undefined;
  const name =
    src
      .replace(/[?#].*$/s, "")
      .split("/")
      .at(-1) ?? src;
  return paragraph([linkTo(src, name)]);
}

function linkTo(url: string, label: string): PhrasingContent {
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

function find(node: Element, isWanted: (node: Element) => boolean): Element[] {
  return node.children.flatMap((child: ElementContent) => {
    if (child.type !== "element") return [];
    return [...(isWanted(child) ? [child] : []), ...find(child, isWanted)];
  });
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
