import { stripInline } from "./plain-inline.js";

const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const CONTAINER = /[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$))/y;
const MARKERS_PER_LINE = 32;
const TASK = /^[ \t]*\[[ xX]\](?=[ \t])/;
const HEADING = /^[ \t]*#{1,6}(?=[ \t]|$)/;
const FOOTNOTE = /^[ \t]*\[\^[^\][\s]{1,200}\]:/;
const DEFINITION = /^[ \t]*\[[^\][]{1,999}\]:/;
const DIGIT = /^[0-9]/;
const DESCRIPTION = /^[ \t]*:(?=[ \t])/;

/** A line that is only a marker: of an alert, of the list of headings, of a formula. */
const MARKER =
  /^[ \t]*(?:\[!(?:note|tip|important|warning|caution)\]|\[\[_?toc_?\]\]|\[toc\]|\$\$)[ \t]*$/i;
const CONTAINER_LINE = /^[ \t]*:{3,}[ \t]*(?:[a-z][a-z-]*)?[ \t]*/i;

const SHORTCODE =
  /\{\{\s{0,9}([a-z][a-z0-9-]{0,99})(?:[^}"'\n]|"[^"\n]{0,999}"|'[^'\n]{0,999}'|\}(?!\})){0,999}\}\}/y;
const MAX_UNCLOSED = 200;

/** Limits how much of a long body is read. */
export interface PlainTextOptions {
  /** Stop after about this many characters of text. */
  limit?: number;
  /** Names of shortcodes, which are left out. */
  shortcodes?: readonly string[];
  /** True for addresses that are replaced by an embed where they stand alone on a line. */
  isEmbedded?(address: string): boolean;
}
const ADDRESS_LINE = /^[ \t]*<?(https?:\/\/[^\s<>]+)>?[ \t]*$/i;

/**
 * The text of Markdown without marks, code blocks, images, HTML tags and link targets; one line per
 * line of text. Scans the source twice without parsing it: search and excerpts need it for every
 * page.
 */
export function plainText(source: string, options: PlainTextOptions = {}): string {
  const enough = options.limit === undefined ? Infinity : options.limit * 4 + 1000;
  return stripInline(
    withoutShortcodes(blockText(source, enough, options), options.shortcodes ?? []),
  );
}

/** Removes the shortcodes of these names; the parser limits their length and number alike. */
function withoutShortcodes(text: string, names: readonly string[]): string {
  if (names.length === 0) return text;
  let result = "";
  let from = 0;
  let unclosed = 0;
  for (let at = text.indexOf("{{"); at !== -1; at = text.indexOf("{{", at + 2)) {
    if (at < from || text[at - 1] === "\\") continue;
    SHORTCODE.lastIndex = at;
    const name = SHORTCODE.exec(text)?.[1];
    if (name === undefined && (unclosed += 1) > MAX_UNCLOSED) break;
    if (name === undefined || !names.includes(name)) continue;
    result += text.slice(from, at);
    from = SHORTCODE.lastIndex;
  }
  return result + text.slice(from);
}

// Lines of text without the marks of headings, lists, quotes, tables and definitions.
function blockText(source: string, enough: number, options: PlainTextOptions): string {
  const lines: string[] = [];
  let fence: string | null = null;
  let length = 0;
  for (const line of source.split(source.includes("\r") ? /\r\n|\n|\r/ : "\n")) {
    const content = withoutContainers(line);
    const mark = isProse(content) ? undefined : FENCE.exec(content)?.[1];
    if (fence !== null) {
      if (mark !== undefined && closes(content, mark, fence)) fence = null;
      continue;
    }
    if (mark !== undefined && opens(content, mark)) {
      fence = mark;
      continue;
    }
    if (isEmbed(content, options)) continue;
    // A line may be the whole page.
    const text = lineText(content.length > enough ? content.slice(0, enough) : content);
    lines.push(text);
    length += text.length;
    if (length > enough) break;
  }
  return lines.join("\n");
}

// A line with nothing but an address that the page shows as a player.
function isEmbed(line: string, options: PlainTextOptions): boolean {
  if (!options.isEmbedded) return false;
  const address = ADDRESS_LINE.exec(line)?.[1];
  return address !== undefined && options.isEmbedded(address);
}

// The info string of a backtick fence contains no backtick; otherwise it is a code span.
function opens(content: string, mark: string): boolean {
  return mark.startsWith("~") || !content.trimStart().slice(mark.length).includes("`");
}

function closes(content: string, mark: string, fence: string): boolean {
  return mark[0] === fence[0] && mark.length >= fence.length && content.trim() === mark;
}

function withoutContainers(line: string): string {
  if (isProse(line)) return line;
  let start = 0;
  for (let count = 0; count < MARKERS_PER_LINE; count += 1) {
    CONTAINER.lastIndex = start;
    if (!CONTAINER.test(line)) break;
    start = CONTAINER.lastIndex;
  }
  return line.slice(start);
}

/** No block mark starts with a letter, and an empty line has none; this covers most lines. */
function isProse(line: string): boolean {
  const code = line.charCodeAt(0) | 0x20;
  return line === "" || (code >= 0x61 && code <= 0x7a);
}

function lineText(content: string): string {
  // A digit can only start a list mark.
  if (isProse(content) || DIGIT.test(content)) return withoutBars(content);
  if (isRule(content) || MARKER.test(content)) return "";
  if (content.trimStart().startsWith(":::")) return titleOfContainer(content);
  if (FOOTNOTE.test(content)) return content.replace(FOOTNOTE, "");
  if (DEFINITION.test(content)) return "";
  if (HEADING.test(content)) return withoutClosing(content.replace(HEADING, ""));
  return withoutBars(content.replace(TASK, "").replace(DESCRIPTION, ""));
}

/** `::: tip Small steps {open}` and `:::tip[Small steps]`: the title. */
function titleOfContainer(content: string): string {
  const title = content.replace(CONTAINER_LINE, "").trimEnd();
  const end = title.endsWith("}") ? title.lastIndexOf("{") : title.length;
  return title
    .slice(0, Math.max(0, end))
    .trim()
    .replace(/^\[|\]$/g, "");
}

function withoutBars(text: string): string {
  return text.includes("|") ? text.replace(/(?<!\\)\|/g, " ") : text;
}

// Underlines of headings, thematic breaks and the delimiter row of tables.
function isRule(content: string): boolean {
  return content !== "" && /^[ \t|:=*_-]+$/.test(content) && /[=*_|-]/.test(content);
}

function withoutClosing(heading: string): string {
  const text = heading.trimEnd().replace(/[ \t]\{#[^{}\s]{1,200}\}$/, "");
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  return end > 0 && !/[ \t]/.test(text[end - 1] ?? "") ? text : text.slice(0, end);
}
