/** Extensions of Python-Markdown that MkDocs sites use, as Markdown of this project. */
import { replaceMarks } from "#lib/text";
import { calloutOf, containerLines, isCallout, tabLines } from "../../text/containers.js";
import { headingAttributes, listAnchor } from "../../text/attribute-lists.js";
import { joinedHtml, markdownInHtml } from "../../text/markdown-in-html.js";
import { closedFences, hideCode } from "../../text/hidden-code.js";
import { templateText } from "../../text/liquid-text.js";

/** `!!! note "Title"`, `??? note`, `=== "Tab"`: the text is indented. */
const INDENTED =
  /^([ \t]*)(!!!|\?\?\?\+?|===[+!]?)[ \t]+(?:([\w-]+)(?:[ \t]+[\w -]*?)?)?[ \t]*(?:"([^\n]*)")?[ \t]*$/;
/** `/// note | Title`, up to a line of as many slashes. */
const SLASHED = /^([ \t]*)(\/{3,})[ \t]+([\w-]+)(?:[ \t]*\|[ \t]*([^\n]*?))?[ \t]*$/;
const OPTION = /^ {4}([\w-]+):[ \t]*(.*)$/;
const ATTRIBUTES =
  /(?<=[\])`*_\uE000-\uF8FF])\{:?[ \t]*[.#][^}\n]*\}|\{(?<=^[ \t>]*\{):?[ \t]*[.#][^}\n]*\}[ \t]*$/gm;
/** An example of a snippet. */
const ESCAPED = /^([ \t]*);(-+8<-)/gm;
const KEYS = /\+\+([a-z0-9"'][\w"' +-]{0,60}?)\+\+/gi;
const ICON =
  /(?<![A-Za-z0-9:]):(?:material|fontawesome|octicons|simple|twemoji)-[\w-]{1,80}:(?:\{[^{}\n]{0,200}\})?/g;
/** `::: package.Name` of mkdocstrings, with the options below it. */
const REFERENCE =
  /^([ \t>]*)((?:#{1,6}[ \t]+)?):::[ \t]+([A-Za-z_][\w.:-]{0,200})[ \t]*(?=\n|$)(?:\n\1(?: {4}|\t)[^\n]*|\n(?=\n\1(?: {4}|\t)\S))*/gm;
/** A link to a name of program code, `[text][package.Name]` or `[package.Name][]`, as mkdocstrings has it. */
const CODE_LINK = /(?<![\\\w\])])\[([^[\]]{1,300})\]\[((?:[A-Za-z_][\w .:-]{0,300})?)\]/g;
/** A name with its package; sites with mkdocstrings also link to names alone, and to terms. */
const CODE_NAME = /^\w+(?:\.\w+)+$/;
const ANY_NAME = /^[A-Za-z_][\w .:-]*$/;
const DEFINITION = /^ {0,3}\[([^[\]\n]{1,300})\]:/gm;
const ANNOTATION = /\(\d{1,3}\)!/;
const MARKED = /\bhl_lines=(["'])([\d\s,-]*)\1/g;
const MAX_DEPTH = 20;

/** What the plugins of a site give its texts. */
export interface MkdocsPlugins {
  /** Values of `{{ name }}`, for a site whose texts are templates; null for any other one. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  /** True: links without a definition lead to names of program code. */
  readonly hasReferences: boolean;
}

/** The text, whose inclusions are there, as Markdown of this project, and what was lost. */
export function mkdocsText(
  body: string,
  { variables, hasReferences }: MkdocsPlugins,
): { text: string; notes: string[] } {
  const { text, notes } = mkdocsMarkup(body, hasReferences ? ANY_NAME : CODE_NAME);
  if (variables === null) return { text, notes };
  const filled = templateText(text, { config: variables, ...variables });
  return { text: filled.text, notes: [...notes, ...filled.notes] };
}

/** Replaces links to names of program code by their text, except those that the text defines. */
function withoutCodeLinks(
  text: string,
  names: RegExp,
  restore: (part: string) => string,
  notes: Set<string>,
): (link: string, shown: string, name: string) => string {
  const defined = new Set(
    [...text.matchAll(DEFINITION)].map(([, name = ""]) => name.toLowerCase()),
  );
  return (link, shown, name) => {
    const key = name === "" ? restore(shown).replaceAll("`", "") : name;
    if (defined.has(key.toLowerCase()) || !names.test(key)) return link;
    notes.add(`the link to ${key}, a name of program code, was left out, its text stays`);
    return shown;
  };
}

function mkdocsMarkup(body: string, names: RegExp): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const { text, restore } = hideCode(
    joinedHtml(closedFences(body.replaceAll("\r\n", "\n")))
      .replaceAll(ESCAPED, "$1$2")
      .replaceAll(MARKED, markedLines),
  );
  const withHtml = headingAttributes(markdownInHtml(text));
  const plain = replaceMarks(withHtml, REFERENCE, (match) => {
    const [whole, indent = "", heading = "", name = ""] = match;
    if (!name.includes(".") && isCallout(name)) return null;
    notes.add(`the reference of ${name} comes from program code and is not imported`);
    const shown = heading === "" ? `<!-- ::: ${name} -->` : `${heading}${name}`;
    return { text: indent + shown, end: match.index + whole.length };
  })
    .replaceAll(CODE_LINK, withoutCodeLinks(text, names, restore, notes))
    .replaceAll(ATTRIBUTES, listAnchor)
    .replaceAll(KEYS, (_, keys: string) => keys.split("+").map(toKey).join("+"))
    .replaceAll(ICON, (icon: string) => {
      notes.add(`the icon ${icon.replace(/\{.*/, "")} has no counterpart and was left out`);
      return "";
    });
  if (ANNOTATION.test(text)) notes.add("annotations such as (1) stay as text");
  return { text: restore(blocks(plain.split("\n"), 0).join("\n")), notes: [...notes] };
}

function markedLines(_: string, _quote: string, lines: string): string {
  return `{${lines
    .trim()
    .split(/[\s,]+/)
    .join(",")}}`;
}

function toKey(name: string): string {
  const plain = name.trim().replaceAll(/^["']|["']$/g, "");
  return `<kbd>${plain.charAt(0).toUpperCase()}${plain.slice(1)}</kbd>`;
}

/** A block with its content, or a line of text. */
interface Block {
  readonly indent: string;
  /** The tab of a group; null for any other block. */
  readonly tab: string | null;
  /** True: a group ends before it, although there is another one right before. */
  readonly startsGroup: boolean;
  readonly lines: readonly string[];
}

/** Lines with blocks as containers; tabs that follow each other are one group. */
function blocks(lines: readonly string[], depth: number): string[] {
  const result: string[] = [];
  let tabs: Block[] = [];
  let blank: string[] = [];
  const closings = closingLines(lines);
  const endTabs = (): void => {
    const [first] = tabs;
    if (first !== undefined) {
      const shown = tabs.map(({ tab, lines: inner }) => ({ title: tab ?? "", lines: inner }));
      result.push(...indentLines(tabLines(shown), first.indent));
    }
    result.push(...blank);
    [tabs, blank] = [[], []];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const read = depth < MAX_DEPTH ? blockAt(lines, at, depth, closings) : null;
    if (read === null) {
      if (line.trim() === "" && tabs.length > 0) blank.push(line);
      else {
        endTabs();
        result.push(line);
      }
      continue;
    }
    at = read.end - 1;
    const isSameGroup =
      read.block.tab !== null && !read.block.startsGroup && tabs[0]?.indent === read.block.indent;
    if (!isSameGroup) endTabs();
    if (read.block.tab === null)
      result.push(...indentLines(read.block.lines, read.block.indent), "");
    else {
      blank = [];
      tabs.push(read.block);
    }
  }
  endTabs();
  return result;
}

function blockAt(
  lines: readonly string[],
  at: number,
  depth: number,
  closings: ReadonlyMap<string, number[]>,
): { block: Block; end: number } | null {
  return indentedBlock(lines, at, depth) ?? slashedBlock(lines, at, depth, closings);
}

/** The lines of slashes alone, by the slashes; later ones first. */
function closingLines(lines: readonly string[]): Map<string, number[]> {
  const closings = new Map<string, number[]>();
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const slashes = (lines[at] ?? "").trim();
    if (!/^\/{3,}$/.test(slashes)) continue;
    const known = closings.get(slashes);
    if (known === undefined) closings.set(slashes, [at]);
    else known.push(at);
  }
  return closings;
}

function indentedBlock(lines: readonly string[], at: number, depth: number) {
  const [whole, indent = "", sign = "", kind = "", written] = INDENTED.exec(lines[at] ?? "") ?? [];
  if (whole === undefined) return null;
  const inner: string[] = [];
  const width = indent.length + 4;
  for (let next = at + 1; next < lines.length; next += 1) {
    const spaced = (lines[next] ?? "").replaceAll("\t", "    ");
    if (spaced.trim() !== "" && spaced.length - spaced.trimStart().length < width) break;
    inner.push(spaced.slice(width));
  }
  const end = at + 1 + inner.length;
  const content = blocks(inner, depth + 1);
  if (sign.startsWith("=")) {
    const block = { indent, tab: written ?? kind, startsGroup: sign.endsWith("!"), lines: content };
    return { block, end };
  }
  return { block: notice({ indent, kind, title: written, sign, content }), end };
}

function slashedBlock(
  lines: readonly string[],
  at: number,
  depth: number,
  closings: ReadonlyMap<string, number[]>,
) {
  const [whole, indent = "", slashes = "", kind = "", title] = SLASHED.exec(lines[at] ?? "") ?? [];
  const close = whole === undefined ? null : closeAfter(at, closings.get(slashes) ?? []);
  if (close === null) return null;
  const { options, first } = readOptions(lines, at + 1, indent.length);
  const inner = lines.slice(first, close).map((line) => withoutIndent(line, indent.length));
  const content = blocks(inner, depth + 1);
  const end = close + 1;
  if (kind === "tab") {
    const startsGroup = options.get("new") === "true";
    return { block: { indent, tab: title ?? "", startsGroup, lines: content }, end };
  }
  return { block: notice({ indent, title, content, ...noticeKind(kind, options) }), end };
}

/** The kind of a notice, and the sign that would begin it with `!!!` or `???`. */
function noticeKind(
  name: string,
  options: ReadonlyMap<string, string>,
): Pick<Notice, "kind" | "sign"> {
  const type = options.get("type");
  if (name === "admonition") return { kind: type ?? "note", sign: "!!!" };
  if (name !== "details") return { kind: type ?? name, sign: "!!!" };
  const isOpen = options.get("open")?.toLowerCase() === "true";
  return { kind: type ?? "note", sign: isOpen ? "???+" : "???" };
}

/** The first of the lines (later ones first) after `at`; null for none. Forgets those before. */
function closeAfter(at: number, left: number[]): number | null {
  while ((left.at(-1) ?? Infinity) <= at) left.pop();
  return left.at(-1) ?? null;
}

/** The options of a block, `    name: value` on the lines after its head, and the line after them. */
function readOptions(
  lines: readonly string[],
  from: number,
  indent: number,
): { options: ReadonlyMap<string, string>; first: number } {
  const options = new Map<string, string>();
  for (let at = from; ; at += 1) {
    const [, name, value = ""] = OPTION.exec((lines[at] ?? "").slice(indent)) ?? [];
    if (name === undefined) return { options, first: at };
    options.set(name, value.trim());
  }
}

/** The line without white space at its start, up to some characters. */
function withoutIndent(line: string, most: number): string {
  return line.slice(Math.min(most, line.length - line.trimStart().length));
}

interface Notice {
  readonly indent: string;
  readonly kind: string;
  readonly title: string | undefined;
  readonly sign: string;
  readonly content: readonly string[];
}

function notice({ indent, kind, title, sign, content }: Notice): Block {
  const isDetails = sign.startsWith("?");
  const lines = containerLines({
    name: isDetails ? "details" : calloutOf(kind),
    title: title ?? (isDetails ? kind : ""),
    lines: content,
    isOpen: sign === "???+",
  });
  return { indent, tab: null, startsGroup: false, lines };
}

function indentLines(lines: readonly string[], indent: string): string[] {
  return lines.map((line) => (line === "" ? line : indent + line));
}
