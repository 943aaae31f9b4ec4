/** The content of a WordPress post as HTML: without block comments, with paragraphs. */
import { siteAddress } from "./shortcodes.js";

const BLOCK =
  "address|article|aside|blockquote|center|details|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul|video|audio|site-address";
const HAS_BLOCK = new RegExp(`</?(?:${BLOCK})\\b`, "i");
/** Their texts are paragraphs. */
const CONTAINER = /<\/?(?:blockquote|div|section|article|aside|center|details|main)\b[^>]*>/gi;
const LEAF = "h[1-6]|ul|ol|dl|table|p|hr|form|figure|address|site-address";
const LEAF_START = new RegExp(`<(?:${LEAF})\\b`, "gi");
const LEAF_END = new RegExp(`</(?:${LEAF})>|<hr\\b[^>]*>`, "gi");
const PROTECTED = /<(pre|script|style|textarea)\b[^>]*>[^]*?(?:<\/\1>|$)/gi;
const COMMENT = /<!--\s*\/?wp:[^]*?-->\n?/g;
const EMBED_BLOCK =
  /<figure\b[^>]*\bwp-block-embed\b[^>]*>[^]*?<div\b[^>]*>\s*(https?:\/\/[^\s<]+)\s*<\/div>([^]*?)<\/figure>/gi;
const BARE_ADDRESS = /^\s*(https?:\/\/[^\s<>"]+)\s*$/;

/** True for content of the block editor. */
export function hasBlocks(content: string): boolean {
  return content.includes("<!-- wp:");
}

/** Removes the comments of the block editor; embeds become their address. */
export function withoutBlocks(content: string): string {
  return content
    .replaceAll(EMBED_BLOCK, (_, address: string) => siteAddress(address.replaceAll("&amp;", "&")))
    .replaceAll(/<!--\s*more[^>]*-->|<!--\s*nextpage\s*-->/g, "\n\n")
    .replaceAll(COMMENT, "");
}

/** Paragraphs for the empty lines of the classic editor, line breaks for the others. */
export function withParagraphs(content: string): string {
  let result = "";
  let done = 0;
  const text = content.replaceAll("\r\n", "\n");
  for (const match of text.matchAll(PROTECTED)) {
    result += paragraphs(text.slice(done, match.index)) + match[0];
    done = match.index + match[0].length;
  }
  return result + paragraphs(text.slice(done));
}

function paragraphs(text: string): string {
  return text
    .replaceAll(CONTAINER, "\n\n$&\n\n")
    .replaceAll(LEAF_START, "\n\n$&")
    .replaceAll(LEAF_END, "$&\n\n")
    .split(/\n\s*\n/)
    .map((part) => paragraph(part))
    .join("\n\n");
}

function paragraph(part: string): string {
  const address = BARE_ADDRESS.exec(part)?.[1];
  if (address !== undefined) return siteAddress(address);
  if (part.trim() === "" || HAS_BLOCK.test(part)) return part;
  return `<p>${part.trim().replaceAll(/(?<!<br ?\/?>)\n/gi, "<br>\n")}</p>`;
}
