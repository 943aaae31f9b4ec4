/** KirbyText: the tags and blocks of a field of Kirby, as Markdown. */
import { isRecord } from "#kernel";
import { withoutTags } from "#lib/text";
import { fencedCode } from "../../text/hidden-code.js";
import { htmlToMarkdown } from "../../text/html-to-markdown.js";
import { embedAddress } from "../../text/markdown-text.js";

const TAG =
  /\((link|image|email|tel|youtube|vimeo|video|audio|file|gist|twitter|figure|gallery|date):[ \t]*([^()]*(?:\([^()]*\)[^()]*)*)\)/g;
const KNOWN =
  /(?:^|\s)(text|alt|caption|title|link|class|target|rel|width|height|popup|lang):[ \t]*/g;

/** KirbyText as Markdown: its tags, and its blocks (JSON), whose HTML becomes Markdown. Notes name what is lost. */
export async function kirbyText(body: string): Promise<{ text: string; notes: string[] }> {
  const notes = new Set<string>();
  const blocks = parseBlocks(body);
  const parts = blocks === null ? [body] : [];
  for (const block of blocks ?? []) parts.push(await blockText(block, notes));
  const source = parts.filter((part) => part !== "").join("\n\n");
  const markdown = source.replaceAll(TAG, (whole: string, name: string, args: string) => {
    const replacement = tagText(name, args);
    if (replacement === null) notes.add(`tag (${name}: …) stays as text`);
    return replacement ?? whole;
  });
  return { text: markdown, notes: [...notes] };
}

type Values = ReadonlyMap<string, string>;

const link = (value: string, values: Values): string =>
  `[${values.get("text") ?? value}](${bracketed(value)})`;
const player = (value: string): string => `\n${embedAddress(value) ?? value}\n`;
const TAGS: Readonly<Record<string, (value: string, values: Values) => string>> = {
  link,
  file: link,
  image,
  figure: image,
  youtube: player,
  vimeo: player,
  video: player,
  audio: link,
  gist: (value, values) =>
    `[${values.get("text") ?? value}](${value.replace(/^(?!https?:)/, "https://gist.github.com/")})`,
  twitter: (value, values) => {
    const name = value.replace(/^@/, "");
    return `[${values.get("text") ?? `@${name}`}](https://twitter.com/${name})`;
  },
  gallery: (value) => {
    const names = value.split(/[\s,]+/).filter((one) => one !== "");
    return gallery(names.map((one) => image(one, new Map())));
  },
  email: (value, values) => `[${values.get("text") ?? value}](mailto:${value})`,
  tel: (value, values) => `[${values.get("text") ?? value}](tel:${value.replaceAll(/\s/g, "")})`,
};

function tagText(name: string, args: string): string | null {
  const { value, values } = parts(args);
  return TAGS[name]?.(value, values) ?? null;
}

function image(src: string, values: ReadonlyMap<string, string>): string {
  const caption = (values.get("caption") ?? "").replaceAll('"', "'").replaceAll(/\s+/g, " ");
  const shown = `![${values.get("alt") ?? ""}](${bracketed(src)}${caption === "" ? "" : ` "${caption}"`})`;
  const link = values.get("link");
  return link === undefined || link === "self" ? shown : `[${shown}](${bracketed(link)})`;
}

function parts(args: string): { value: string; values: ReadonlyMap<string, string> } {
  const marks = [...args.matchAll(KNOWN)];
  const values = new Map<string, string>();
  for (const [at, mark] of marks.entries()) {
    const end = marks[at + 1]?.index ?? args.length;
    values.set(mark[1] ?? "", args.slice(mark.index + mark[0].length, end).trim());
  }
  return { value: args.slice(0, marks[0]?.index ?? args.length).trim(), values };
}

function bracketed(address: string): string {
  return /[\s()]/.test(address) ? `<${address}>` : address;
}

type Block = Readonly<Record<string, unknown>>;

function parseBlocks(body: string): Block[] | null {
  if (!body.trimStart().startsWith("[{")) return null;
  try {
    const list: unknown = JSON.parse(body);
    return Array.isArray(list) ? list.filter(isRecord).flatMap(blocksOf) : null;
  } catch {
    return null;
  }
}

/** The blocks in the columns of a row of a layout, or the block itself. */
function blocksOf(item: Block): Block[] {
  const { columns } = item;
  if (!Array.isArray(columns)) return [item];
  return columns.filter(isRecord).flatMap(({ blocks }) => {
    const list: unknown = typeof blocks === "string" ? parseBlocks(blocks) : blocks;
    return Array.isArray(list) ? list.filter(isRecord).flatMap(blocksOf) : [];
  });
}

/** The fields of a block; empty for one that is missing or has no text. */
interface BlockFields {
  readonly data: Block;
  plain(name: string): string;
  /** The Markdown of HTML that an editor wrote. */
  html(name: string): Promise<string>;
}

const BLOCKS: Readonly<Record<string, (fields: BlockFields) => string | Promise<string>>> = {
  heading: async ({ plain, html }) =>
    `${"#".repeat(Number(plain("level").slice(1)) || 2)} ${await html("text")}`,
  text: ({ html }) => html("text"),
  list: ({ html }) => html("text"),
  table: ({ html }) => html("text"),
  markdown: ({ plain }) => plain("text"),
  quote: async ({ html }) => {
    const lines = [await html("text"), await html("citation")];
    const words = lines.filter((line) => line !== "").join("\n\n");
    return `> ${words.replaceAll("\n", "\n> ")}`;
  },
  code: ({ plain }) => fencedCode(plain("language"), plain("code")),
  line: () => "---",
  video: ({ plain }) => embedAddress(plain("url")) ?? plain("url"),
  image: ({ data }) => imageBlock(data),
  gallery: ({ data: { images } }) => {
    const list: unknown[] = Array.isArray(images) ? images : [];
    return gallery(list.map((one) => imageBlock({ image: [one] })).filter((one) => one !== ""));
  },
};

/** Two pictures or more side by side. */
function gallery(pictures: readonly string[]): string {
  return pictures.length < 2 ? pictures.join("") : `::: gallery\n${pictures.join("\n")}\n:::`;
}

async function blockText({ type, content, isHidden }: Block, notes: Set<string>): Promise<string> {
  const name = String(type);
  const block = Object.hasOwn(BLOCKS, name) ? BLOCKS[name] : undefined;
  if (isHidden === true) notes.add(`a hidden block (${name}) was left out`);
  else if (block === undefined) notes.add(`block ${name} was left out`);
  if (isHidden === true || block === undefined) return "";
  const data = isRecord(content) ? content : {};
  const plain = (field: string): string => (typeof data[field] === "string" ? data[field] : "");
  const html = async (field: string): Promise<string> => {
    const { markdown, lost } = await htmlToMarkdown(plain(field), (address) => address);
    for (const one of lost) notes.add(`${one} has no counterpart in Markdown and was left out`);
    return markdown.trim();
  };
  return block({ data, plain, html });
}

function imageBlock(data: Block): string {
  const { image: files, src, alt, caption } = data;
  const file: unknown = Array.isArray(files) ? files[0] : src;
  if (typeof file !== "string") return "";
  return image(
    file,
    new Map([
      ["alt", String(alt ?? "")],
      ["caption", withoutTags(String(caption ?? ""))],
    ]),
  );
}
