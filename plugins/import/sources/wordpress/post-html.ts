/** The content of a WordPress post as HTML: without block comments, with paragraphs. */
import { finderIn, replaceMarks, withoutTags } from "#kernel/internal";
import { siteAddress } from "./shortcodes.js";

const BLOCK =
  "address|article|aside|blockquote|center|details|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul|video|audio|site-address";
const HAS_BLOCK = new RegExp(`</?(?:${BLOCK})\\b`, "i");
/** Their texts are paragraphs. */
const CONTAINER = /<\/?(?:blockquote|div|section|article|aside|center|details|main)\b/gi;
const LEAF = "h[1-6]|ul|ol|dl|table|p|hr|form|figure|address|site-address";
const LEAF_START = new RegExp(`<(?:${LEAF})\\b`, "gi");
const LEAF_END = new RegExp(`</(?:${LEAF})>`, "gi");
const RULE = /<hr\b/gi;
const PROTECTED = /<(pre|script|style|textarea)\b/gi;
const COMMENT = /<!--\s*(?:\/?wp:|more)/g;
const FIGURE = /<figure\b/gi;
const EMBEDDED = /<div\b[^<>]*>\s*https?:\/\/[^\s<]+\s*<\/div>/gi;
const BARE_ADDRESS = /^\s*(https?:\/\/[^\s<>"]+)\s*$/;

/** True for content of the block editor. */
export function hasBlocks(content: string): boolean {
  return content.includes("<!-- wp:");
}

/** Removes the comments of the block editor; embeds become their address. */
export function withoutBlocks(content: string): string {
  const addressed = replaceMarks(content, FIGURE, ({ index }, find) => {
    const head = find(">", index);
    const kind = find(/\bwp-block-embed\b/g, index);
    if (head === null || kind === null || kind.end > head.start) return null;
    const end = find(/<\/figure>/gi, head.end);
    const embedded = find(EMBEDDED, head.end);
    if (end === null || embedded === null || embedded.end > end.start) return null;
    const address = withoutTags(content.slice(embedded.start, embedded.end)).trim();
    return { text: siteAddress(address.replaceAll("&amp;", "&")), end: end.end };
  });
  const broken = addressed.replaceAll(/<!--\s*nextpage\s*-->/g, "\n\n");
  return replaceMarks(broken, COMMENT, ({ index, 0: head }, find) => {
    const close = find("-->", index);
    if (close === null) return null;
    if (head.endsWith("more")) return { text: "\n\n", end: close.end };
    return { text: "", end: broken[close.end] === "\n" ? close.end + 1 : close.end };
  });
}

/** Paragraphs for the empty lines of the classic editor, line breaks for the others. */
export function withParagraphs(content: string): string {
  let result = "";
  let done = 0;
  const text = content.replaceAll("\r\n", "\n");
  const find = finderIn(text);
  for (const { index, 1: tag = "" } of text.matchAll(PROTECTED)) {
    if (index < done) continue;
    const close = find(new RegExp(`</${tag}>`, "gi"), index);
    const end = close?.end ?? text.length;
    result += paragraphs(text.slice(done, index)) + text.slice(index, end);
    done = end;
  }
  return result + paragraphs(text.slice(done));
}

function paragraphs(text: string): string {
  const contained = replaceMarks(text, CONTAINER, ({ index }, find) => {
    const close = find(">", index);
    return close && { text: `\n\n${text.slice(index, close.end)}\n\n`, end: close.end };
  });
  const started = contained.replaceAll(LEAF_START, "\n\n$&").replaceAll(LEAF_END, "$&\n\n");
  const ruled = replaceMarks(started, RULE, ({ index }, find) => {
    const close = find(">", index);
    return close && { text: `${started.slice(index, close.end)}\n\n`, end: close.end };
  });
  return ruled
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
