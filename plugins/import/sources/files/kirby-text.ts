/** KirbyText and blocks of Kirby as Markdown. */
import { isRecord } from "#kernel";
import { withoutTags } from "#kernel/internal";
import { embedAddress } from "../../text/embed-address.js";

const TAG =
  /\((link|image|email|tel|youtube|vimeo|video|file|gist|twitter|figure|gallery):[ \t]*([^()]*(?:\([^()]*\)[^()]*)*)\)/g;
const KNOWN =
  /(?:^|\s)(text|alt|caption|title|link|class|target|rel|width|height|popup|lang):[ \t]*/g;

/** The text with Markdown for tags; blocks (JSON) become Markdown or HTML. */
export function kirbyText(body: string): { text: string; notes: string[] } {
  const names = new Set<string>();
  const blocks = blocksIn(body);
  const source =
    blocks === null ? body : blocks.map((block) => blockText(block, names)).join("\n\n");
  const text = source.replaceAll(TAG, (whole: string, name: string, given: string) => {
    const found = tagText(name, given);
    if (found === null) names.add(`tag (${name}: …) stays as text`);
    return found ?? whole;
  });
  return { text, notes: [...names] };
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
  email: (value, values) => `[${values.get("text") ?? value}](mailto:${value})`,
  tel: (value, values) => `[${values.get("text") ?? value}](tel:${value.replaceAll(/\s/g, "")})`,
};

function tagText(name: string, given: string): string | null {
  const { value, values } = parts(given);
  return TAGS[name]?.(value, values) ?? null;
}

function image(src: string, values: ReadonlyMap<string, string>): string {
  const caption = (values.get("caption") ?? "").replaceAll('"', "'").replaceAll(/\s+/g, " ");
  const shown = `![${values.get("alt") ?? ""}](${bracketed(src)}${caption === "" ? "" : ` "${caption}"`})`;
  const link = values.get("link");
  return link === undefined || link === "self" ? shown : `[${shown}](${bracketed(link)})`;
}

function parts(given: string): { value: string; values: ReadonlyMap<string, string> } {
  const marks = [...given.matchAll(KNOWN)];
  const values = new Map<string, string>();
  for (const [at, mark] of marks.entries()) {
    const end = marks[at + 1]?.index ?? given.length;
    values.set(mark[1] ?? "", given.slice(mark.index + mark[0].length, end).trim());
  }
  return { value: given.slice(0, marks[0]?.index ?? given.length).trim(), values };
}

function bracketed(address: string): string {
  return /[\s()]/.test(address) ? `<${address}>` : address;
}

type Block = Readonly<Record<string, unknown>>;

function blocksIn(body: string): Block[] | null {
  if (!body.trimStart().startsWith("[{")) return null;
  try {
    const list: unknown = JSON.parse(body);
    return Array.isArray(list) ? list.filter(isRecord) : null;
  } catch {
    return null;
  }
}

type Field = (name: string) => string;

const BLOCKS: Readonly<Record<string, (field: Field, data: Block) => string>> = {
  heading: (field) => `${"#".repeat(Number(field("level").slice(1)) || 2)} ${field("text")}`,
  text: (field) => field("text"),
  list: (field) => field("text"),
  markdown: (field) => field("text"),
  quote: (field) => `> ${field("text").replaceAll("\n", "\n> ")}`,
  code: (field) => `\`\`\`${field("language")}\n${field("code")}\n\`\`\``,
  line: () => "---",
  video: (field) => embedAddress(field("url")) ?? field("url"),
  image: (_field, data) => imageBlock(data),
};

function blockText({ type, content }: Block, names: Set<string>): string {
  const data = isRecord(content) ? content : {};
  const field: Field = (name) => (typeof data[name] === "string" ? data[name] : "");
  const block = typeof type === "string" && Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
  if (block === undefined) names.add(`block ${String(type)} was left out`);
  return block?.(field, data) ?? "";
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
