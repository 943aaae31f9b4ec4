/** Documents of the Mobiledoc editor as HTML. */
import { z } from "zod";
import { escapeHtml } from "#kernel";
import { cardHtml } from "./ghost-cards.js";
import type { EditorHtml } from "./lexical.js";

const TAGS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 blockquote aside ul ol a b strong i em u s sub sup code mark".split(" "),
);
const marker = z.tuple([z.number(), z.array(z.number()), z.number(), z.unknown()]);
const document = z.looseObject({
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
type Document = z.infer<typeof document>;

/** HTML of a document; null when it is not one. */
export function mobiledocToHtml(source: string): EditorHtml | null {
  const parsed = document.safeParse(parse(source));
  if (!parsed.success) return null;
  const lost = new Set<string>();
  const html = parsed.data.sections.map((section) => sectionHtml(section, parsed.data, lost));
  return { html: html.join("\n"), lost: [...lost] };
}

function sectionHtml(
  [kind, first, second]: readonly unknown[],
  doc: Document,
  lost: Set<string>,
): string {
  switch (kind) {
    case 1: {
      const tag = tagOf(first, "p");
      const inner = markersHtml(second, doc);
      return tag === "blockquote" || tag === "aside"
        ? `<blockquote><p>${inner}</p></blockquote>`
        : `<${tag}>${inner}</${tag}>`;
    }
    case 2:
      return `<p><img src="${escapeHtml(String(first))}" alt=""></p>`;
    case 3: {
      const tag = tagOf(first, "ul");
      const items = Array.isArray(second) ? second : [];
      return `<${tag}>${items.map((item) => `<li>${markersHtml(item, doc)}</li>`).join("")}</${tag}>`;
    }
    case 10:
      return cardOf(Number(first), doc, lost);
    default:
      return "";
  }
}

function cardOf(index: number, { cards }: Document, lost: Set<string>): string {
  const [name, payload] = cards[index] ?? ["", {}];
  const html = cardHtml(name, payload);
  if (html === null) lost.add(`card ${name}`);
  return html ?? "";
}

function markersHtml(value: unknown, doc: Document): string {
  const parsed = z.array(marker).safeParse(value);
  if (!parsed.success) return "";
  const open: string[] = [];
  let html = "";
  for (const [kind, opened, closed, content] of parsed.data) {
    for (const index of opened) {
      const [tag, attributes] = markupOf(index, doc);
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

function atomHtml(index: number, { atoms }: Document): string {
  const [name, value] = atoms[index] ?? [];
  return name === "soft-return" ? "<br>" : escapeHtml(typeof value === "string" ? value : "");
}

function markupOf(index: number, { markups }: Document): [tag: string, attributes: string] {
  const [name = "span", values] = markups[index] ?? [];
  const list: unknown[] = Array.isArray(values) ? values : [];
  const at = list.indexOf("href");
  const href = at === -1 ? undefined : list[at + 1];
  const tag = tagOf(name, "span");
  return [tag, tag === "a" && typeof href === "string" ? ` href="${escapeHtml(href)}"` : ""];
}

function tagOf(value: unknown, otherwise: string): string {
  const tag = String(value).toLowerCase();
  return TAGS.has(tag) ? tag : otherwise;
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}
