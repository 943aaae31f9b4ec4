/** Documents of the editors of Ghost as HTML: Lexical, and the earlier Mobiledoc. */
import { z } from "zod";
import rehypeStringify from "rehype-stringify";
import { remark } from "remark";
import remarkGfm from "remark-gfm";
import remarkRehype from "remark-rehype";
import { escapeHtml, isRecord } from "#kernel";
import { embedAddress } from "../../text/markdown-text.js";

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
  const document = parsedJson(source);
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

/** The value of a JSON text; null for an invalid one. */
function parsedJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}

const TAGS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 blockquote aside ul ol a b strong i em u s sub sup code mark".split(" "),
);
const marker = z.tuple([z.number(), z.array(z.number()), z.number(), z.unknown()]);
const mobiledoc = z.looseObject({
  atoms: z.array(z.array(z.unknown())).catch([]).default([]),
  cards: z
    .array(z.tuple([z.string(), z.record(z.string(), z.unknown())]).rest(z.unknown()))
    .catch([])
    .default([]),
  markups: z
    .array(z.tuple([z.string()]).rest(z.unknown()))
    .catch([])
    .default([]),
  sections: z.array(z.tuple([z.number()]).rest(z.unknown())),
});
type Mobiledoc = z.infer<typeof mobiledoc>;

/** HTML of a document; null when it is not one. */
export function mobiledocToHtml(source: string): EditorHtml | null {
  const checked = mobiledoc.safeParse(parsedJson(source));
  if (!checked.success) return null;
  const lost = new Set<string>();
  const doc = checked.data;
  const html = doc.sections.map((section) => sectionHtml(section, doc, lost));
  return { html: html.join("\n"), lost: [...lost] };
}

function sectionHtml(
  [kind, first, second]: readonly unknown[],
  doc: Mobiledoc,
  lost: Set<string>,
): string {
  switch (kind) {
    case 1: {
      const tag = toTag(first, "p");
      const inner = markersHtml(second, doc);
      return tag === "blockquote" || tag === "aside"
        ? `<blockquote><p>${inner}</p></blockquote>`
        : `<${tag}>${inner}</${tag}>`;
    }
    case 2:
      return `<p><img src="${escapeHtml(String(first))}" alt=""></p>`;
    case 3: {
      const tag = toTag(first, "ul");
      const items = Array.isArray(second) ? second : [];
      return `<${tag}>${items.map((item) => `<li>${markersHtml(item, doc)}</li>`).join("")}</${tag}>`;
    }
    case 10:
      return renderCard(Number(first), doc, lost);
    default:
      return "";
  }
}

function renderCard(index: number, { cards }: Mobiledoc, lost: Set<string>): string {
  const [name, payload] = cards[index] ?? ["", {}];
  const html = cardHtml(name, payload);
  if (html === null) lost.add(`card ${name}`);
  return html ?? "";
}

function markersHtml(value: unknown, doc: Mobiledoc): string {
  const markers = z.array(marker).safeParse(value);
  if (!markers.success) return "";
  const open: string[] = [];
  let html = "";
  for (const [kind, opened, closed, content] of markers.data) {
    for (const index of opened) {
      const [tag, attributes] = readMarkup(index, doc);
      open.push(tag);
      html += `<${tag}${attributes}>`;
    }
    html += kind === 0 ? escapeHtml(String(content)) : atomHtml(Number(content), doc);
    for (let count = 0; count < Math.min(closed, 50); count += 1) {
      const tag = open.pop();
      if (tag !== undefined) html += `</${tag}>`;
    }
  }
  return html;
}

function atomHtml(index: number, { atoms }: Mobiledoc): string {
  const [name, value] = atoms[index] ?? [];
  return name === "soft-return" ? "<br>" : escapeHtml(typeof value === "string" ? value : "");
}

function readMarkup(index: number, { markups }: Mobiledoc): [tag: string, attributes: string] {
  const [name = "span", values] = markups[index] ?? [];
  const list: unknown[] = Array.isArray(values) ? values : [];
  const at = list.indexOf("href");
  const href = at === -1 ? undefined : list[at + 1];
  const tag = toTag(name, "span");
  return [tag, tag === "a" && typeof href === "string" ? ` href="${escapeHtml(href)}"` : ""];
}

function toTag(value: unknown, otherwise: string): string {
  const tag = String(value).toLowerCase();
  return TAGS.has(tag) ? tag : otherwise;
}

type Payload = Readonly<Record<string, unknown>>;

/** HTML of a card; null for one without a counterpart. */
function cardHtml(name: string, payload: Payload): string | null {
  const card = CARDS[name];
  return card === undefined ? null : card(payload);
}

const CARDS: Readonly<Record<string, (payload: Payload) => string>> = {
  image,
  gallery: ({ images, caption }) => {
    const shown = records(images).map((one) =>
      image({ ...one, src: one["src"] ?? one["fileName"] }),
    );
    return `<site-gallery>${shown.join("\n")}</site-gallery>${renderCaption(caption)}`;
  },
  code,
  codeblock: code,
  hr: () => "<hr>",
  horizontalrule: () => "<hr>",
  markdown,
  "card-markdown": markdown,
  html: ({ html }) => text(html),
  embed,
  bookmark,
  callout: ({ calloutText, calloutEmoji }) =>
    `<site-alert>${escapeHtml(text(calloutEmoji))} ${text(calloutText)}</site-alert>`,
  toggle: ({ heading, content }) =>
    `<details><summary>${text(heading)}</summary>${text(content)}</details>`,
  button: ({ buttonText, buttonUrl }) =>
    `<site-buttons>${link(text(buttonUrl), text(buttonText))}</site-buttons>`,
  video: ({ src, caption }) => `<video src="${attribute(src)}"></video>${renderCaption(caption)}`,
  audio: ({ src, title }) => link(text(src), text(title)),
  file: ({ src, fileTitle, fileName }) => link(text(src), text(fileTitle) || text(fileName)),
  product: ({ productTitle, productDescription, productUrl, productImageSrc }) =>
    [
      image({ src: productImageSrc }),
      `<h4>${text(productTitle)}</h4>`,
      text(productDescription),
      link(text(productUrl), text(productTitle)),
    ].join("\n"),
  header: ({ header, heading, subheader, subheading }) =>
    `<h2>${text(header) || text(heading)}</h2><p>${text(subheader) || text(subheading)}</p>`,
};

function image({ src, alt, caption, href, title }: Payload): string {
  if (text(src) === "") return "";
  const shown = `<img src="${attribute(src)}" alt="${attribute(alt ?? title)}">`;
  const inner = text(href) === "" ? shown : `<a href="${attribute(href)}">${shown}</a>`;
  return `<figure>${inner}${text(caption) === "" ? "" : `<figcaption>${text(caption)}</figcaption>`}</figure>`;
}

function code({ code: source, language }: Payload): string {
  const kind = /^[\w+#-]+$/.test(text(language)) ? ` class="language-${text(language)}"` : "";
  return `<pre><code${kind}>${escapeHtml(text(source))}</code></pre>`;
}

function markdown({ markdown: source }: Payload): string {
  return markdownToHtml(text(source));
}

/** An address that the site can embed goes on a line of its own; any other becomes a link. */
function embed({ url, html }: Payload): string {
  const frame = /<iframe\b[^>]*?\ssrc="([^"]+)"/i.exec(text(html))?.[1] ?? "";
  const address = embedAddress(text(url)) ?? embedAddress(frame);
  if (address !== null) return `<site-address>${escapeHtml(address)}</site-address>`;
  return link(text(url) || frame, text(url) || frame);
}

function bookmark({ url, metadata }: Payload): string {
  const { title, description } = isRecord(metadata) ? metadata : {};
  const about = text(description) === "" ? "" : `<br>${escapeHtml(text(description))}`;
  return `<p><a href="${attribute(url)}">${escapeHtml(text(title) || text(url))}</a>${about}</p>`;
}

function link(href: string, label: string): string {
  return href === "" ? "" : `<p><a href="${escapeHtml(href)}">${escapeHtml(label || href)}</a></p>`;
}

function renderCaption(caption: unknown): string {
  return text(caption) === "" ? "" : `<p><em>${text(caption)}</em></p>`;
}

function attribute(value: unknown): string {
  return escapeHtml(text(value));
}

function records(value: unknown): Payload[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A text; empty for anything else. */
function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const processor = remark()
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeStringify, { allowDangerousHtml: true });

/** HTML of Markdown inside an HTML document. Raw HTML stays, which the site sanitises later. */
function markdownToHtml(markdown: string): string {
  return String(processor.processSync(markdown));
}
