import type { Code, List, ListItem, RootContent, Root } from "mdast";
import { parsePhrases } from "./quick-phrases.js";

const HEADING = /^(#{1,6}) +([^\s#](?:.*[^\s#])?)$/;
const FENCE = /^```([\w+-]*)$/;
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) (\S.*)$/;
const MARKER = /^(?:[-*+]|\d{1,9}[.)])(?= |$)/;
/** Matches a line that can only start a paragraph. */
const PLAIN_START = /^(?:[^\s#>\-+*=_`~<|:[\d&\\!]|\*{1,2}[^\s*]|`[^`]|!?\[[^\s\]]|\d+[^\d.)])/;

/**
 * Parses simple Markdown line by line: headings, paragraphs, flat lists, fenced code. Produces the
 * same tree as the full parser, without positions, at a twentieth of the cost. Null for anything
 * else.
 */
export function parsePlainBlocks(source: string): Root | null {
  // Tabs are columns, carriage returns end lines, NUL is replaced.
  if (/[\r\0\t\ufeff]/.test(source)) return null;
  const reader = new BlockReader(source.split("\n"));
  const children: RootContent[] = [];
  while (!reader.isAtEnd) {
    const block = reader.block();
    if (block === null) return null;
    children.push(block);
    reader.skipBlank();
  }
  return { type: "root", children };
}

class BlockReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.skipBlank();
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#lines.length;
  }

  skipBlank(): void {
    while (this.#lines[this.#at] === "") this.#at += 1;
  }

  block(): RootContent | null {
    const line = this.#line;
    if (line.startsWith("#")) return this.#heading();
    if (line.startsWith("```")) return this.#code();
    if (line === "---") return this.#break();
    if (ITEM.test(line)) return this.#list();
    return this.#paragraph();
  }

  get #line(): string {
    return this.#lines[this.#at] ?? "";
  }

  #break(): RootContent {
    this.#at += 1;
    return { type: "thematicBreak" };
  }

  #heading(): RootContent | null {
    const [, marks = "", text] = HEADING.exec(this.#line) ?? [];
    const children = text === undefined ? null : parsePhrases(text);
    const depth = depthOf(marks.length);
    if (children === null || depth === null) return null;
    this.#at += 1;
    return { type: "heading", depth, children };
  }

  #code(): Code | null {
    const lang = FENCE.exec(this.#line)?.[1];
    const from = this.#at + 1;
    let end = from;
    while (end < this.#lines.length && !/^ {0,3}```/.test(this.#lines[end] ?? "")) end += 1;
    if (lang === undefined || this.#lines[end] !== "```") return null;
    this.#at = end + 1;
    const value = this.#lines.slice(from, end).join("\n");
    return { type: "code", lang: lang === "" ? null : lang, meta: null, value };
  }

  #paragraph(): RootContent | null {
    const from = this.#at;
    for (; this.#line !== "" && !(this.#at > from && this.#isInterrupted()); this.#at += 1) {
      if (!PLAIN_START.test(this.#line) || this.#line.endsWith(" ")) return null;
    }
    const children = parsePhrases(this.#lines.slice(from, this.#at).join("\n"));
    return children === null ? null : { type: "paragraph", children };
  }

  #isInterrupted(): boolean {
    return /^(?:#{1,6} |- \S)/.test(this.#line);
  }

  #list(): List | null {
    const kind = kindOf(this.#line);
    const number = Number.parseInt(this.#line, 10);
    const children: ListItem[] = [];
    for (; this.#line !== ""; this.#at += 1) {
      const item = kindOf(this.#line) === kind ? toItem(ITEM.exec(this.#line)?.[1]) : null;
      if (item === null) return null;
      children.push(item);
    }
    this.skipBlank();
    // Indented lines belong to the last item; another item makes it a list of paragraphs.
    if (kindOf(this.#line) === kind || this.#line.startsWith(" ")) return null;
    const ordered = !Number.isNaN(number);
    return { type: "list", ordered, start: ordered ? number : null, spread: false, children };
  }
}

/** Distinguishes the items of one list from those of another: `-`, `)` etc. */
function kindOf(line: string): string | undefined {
  return MARKER.exec(line)?.[0].at(-1);
}

function toItem(text = ""): ListItem | null {
  const isPlain = PLAIN_START.test(text) && !text.endsWith(" ");
  const children = isPlain ? parsePhrases(text) : null;
  if (children === null) return null;
  return {
    type: "listItem",
    spread: false,
    checked: null,
    children: [{ type: "paragraph", children }],
  };
}

function depthOf(marks: number): 1 | 2 | 3 | 4 | 5 | 6 | null {
  return marks === 1 || marks === 2 || marks === 3 || marks === 4 || marks === 5 || marks === 6
    ? marks
    : null;
}
