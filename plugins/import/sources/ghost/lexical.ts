/** Documents of the Lexical editor as HTML. */
import { escapeHtml, isRecord } from "#kernel";
import { cardHtml } from "./ghost-cards.js";

const MAX_DEPTH = 60;
/** Bits of `format`. */
const FORMATS: readonly (readonly [number, string])[] = [
  [16, "code"],
  [64, "sup"],
  [32, "sub"],
  [4, "s"],
  [8, "u"],
  [128, "mark"],
  [2, "em"],
  [1, "strong"],
];
/** Parts of newsletters and of membership, which a page does not have. */
const IGNORED: ReadonlySet<string> = new Set([
  "email",
  "email-cta",
  "signup",
  "paywall",
  "tk",
  "call-to-action",
]);

type LexicalNode = Readonly<Record<string, unknown>>;
/** HTML, and the names of cards without a counterpart. */
export interface EditorHtml {
  readonly html: string;
  readonly lost: readonly string[];
}

/** HTML of a document; null when it is not one. */
export function lexicalToHtml(source: string): EditorHtml | null {
  const document = parsed(source);
  const root = isRecord(document) ? document["root"] : null;
  if (!isRecord(root)) return null;
  const lost = new Set<string>();
  return { html: children(root, { lost, depth: 0 }), lost: [...lost] };
}

interface Walk {
  readonly lost: Set<string>;
  readonly depth: number;
}

function children(node: LexicalNode, { lost, depth }: Walk): string {
  const items = Array.isArray(node["children"]) ? node["children"].filter(isRecord) : [];
  if (depth > MAX_DEPTH) lost.add("content nested too deeply");
  return depth > MAX_DEPTH
    ? ""
    : items.map((item) => toHtml(item, { lost, depth: depth + 1 })).join("");
}

function toHtml(node: LexicalNode, walk: Walk): string {
  const type = text(node["type"]).replace(/^extended-/, "");
  const element = ELEMENTS[type];
  if (element !== undefined) return element(node, walk);
  if (IGNORED.has(type)) {
    walk.lost.add(`card ${type}`);
    return "";
  }
  const card = cardHtml(type, node);
  if (card !== null) return card;
  if (node["children"] !== undefined) return children(node, walk);
  walk.lost.add(`card ${type || "without a type"}`);
  return "";
}

const ELEMENTS: Readonly<Record<string, (node: LexicalNode, walk: Walk) => string>> = {
  paragraph: (node, walk) => `<p>${children(node, walk)}</p>`,
  heading: (node, walk) => {
    const tag = /^h[1-6]$/.test(text(node["tag"])) ? text(node["tag"]) : "h2";
    return `<${tag}>${children(node, walk)}</${tag}>`;
  },
  quote: (node, walk) => `<blockquote><p>${children(node, walk)}</p></blockquote>`,
  aside: (node, walk) => `<blockquote><p>${children(node, walk)}</p></blockquote>`,
  list: (node, walk) => {
    const tag = node["listType"] === "number" || node["tag"] === "ol" ? "ol" : "ul";
    return `<${tag}>${children(node, walk)}</${tag}>`;
  },
  listitem: (node, walk) => `<li>${children(node, walk)}</li>`,
  linebreak: () => "<br>",
  tab: () => " ",
  link: linkHtml,
  autolink: linkHtml,
  "at-link": linkHtml,
  text: (node) => textHtml(node),
};

function linkHtml(node: LexicalNode, walk: Walk): string {
  return `<a href="${escapeHtml(text(node["url"]))}">${children(node, walk)}</a>`;
}

function textHtml(node: LexicalNode): string {
  const format = typeof node["format"] === "number" ? node["format"] : 0;
  return FORMATS.filter(([bit]) => (format & bit) !== 0).reduce(
    (inner, [, tag]) => `<${tag}>${inner}</${tag}>`,
    escapeHtml(text(node["text"])),
  );
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
