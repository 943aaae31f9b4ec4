/** Turns a block of the text into another kind: its words stay, the marks around them change. */
import type { EditorState, TransactionSpec } from "@codemirror/state";
import type { TextBlock } from "./ranges.js";

/** What a block can be turned into. */
export const TURNS = [
  "text",
  "heading2",
  "heading3",
  "heading4",
  "list",
  "numbers",
  "tasks",
  "quote",
  "code",
] as const;
/** What a block can be turned into. */
export type Turn = (typeof TURNS)[number];

/** True for a block whose words can stand in another kind. */
export function isTurnable({ kind }: TextBlock): boolean {
  return /^(?:text|heading|list|quote|code)$/.test(kind);
}

/** The kind that a block is now; null for one that is no choice. */
export function turnOf(state: EditorState, block: TextBlock): Turn | null {
  const [first = ""] = linesOf(state, block);
  switch (block.kind) {
    case "text":
    case "code":
      return block.kind;
    case "quote":
      return ALERT.test(first) ? null : "quote";
    case "heading":
      return headingTurn(first);
    case "list":
      return listTurn(first);
    default:
      return null;
  }
}

function headingTurn(line: string): Turn | null {
  const level = /^\s*(#{1,6})/.exec(line)?.[1]?.length ?? 1;
  return HEADINGS[level - 2] ?? null;
}

function listTurn(line: string): Turn {
  if (TASK.test(line)) return "tasks";
  return /^\s*\d/.test(line) ? "numbers" : "list";
}

const HEADINGS = ["heading2", "heading3", "heading4"] as const;
const ALERT = /^\s*>\s?\[![A-Z]+\]\s*$/;
const TASK = /^\s*[-*+]\s+\[[ xX]\]\s/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}(?! )| (?= ))(?:\[[ xX]\] )?/;

/** Turns a block into another kind; null when it is of that kind. The cursor moves to its end. */
export function turnBlock(
  state: EditorState,
  block: TextBlock,
  turn: Turn,
): TransactionSpec | null {
  if (!isTurnable(block) || turnOf(state, block) === turn) return null;
  const insert = write(readParts(state, block), turn);
  return {
    changes: { from: block.from, to: block.to, insert },
    selection: { anchor: block.from + insert.length - (turn === "code" ? 4 : 0) },
    scrollIntoView: true,
    userEvent: "input.format",
  };
}

interface Parts {
  /** Lines of each part: an item of a list, a paragraph. */
  readonly parts: readonly (readonly string[])[];
  /** True: blank lines are between the parts. */
  readonly isLoose: boolean;
}

function linesOf(state: EditorState, { from, to }: TextBlock): string[] {
  return state.sliceDoc(from, to).split("\n");
}

function readParts(state: EditorState, block: TextBlock): Parts {
  const lines = linesOf(state, block);
  switch (block.kind) {
    case "heading":
      return { parts: [headingWords(lines)], isLoose: true };
    case "list":
      return readItems(lines);
    case "quote": {
      const plain = lines
        .filter((line) => !ALERT.test(line))
        .map((line) => line.replace(QUOTE, ""));
      return { parts: paragraphs(plain), isLoose: true };
    }
    case "code": {
      const isFenced = /^\s*(?:`{3,}|~{3,})/.test(lines[0] ?? "");
      const isClosed = /^\s*(?:`{3,}|~{3,})\s*$/.test(lines.at(-1) ?? "");
      const code = isFenced ? lines.slice(1, isClosed ? -1 : undefined) : lines.map(dedented);
      return { parts: [code], isLoose: true };
    }
    default:
      return { parts: paragraphs(lines), isLoose: true };
  }
}

const QUOTE = /^ {0,3}> ?/;

function dedented(line: string): string {
  return line.replace(/^(?: {1,4}|\t)/, "");
}

function headingWords(lines: readonly string[]): string[] {
  const [first = ""] = lines;
  const isMarked = /^\s*#/.test(first);
  if (!isMarked) return lines.slice(0, -1).map((line) => line.trim());
  return [first.replace(/^\s*#{1,6}[ \t]*/, "").replace(/[ \t]+#+[ \t]*$/, "")];
}

function paragraphs(lines: readonly string[]): string[][] {
  const parts: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const isBlank = line.trim() === "";
    if (!isBlank && isOpen) parts.at(-1)?.push(line);
    else if (!isBlank) parts.push([line]);
    isOpen = !isBlank;
  }
  return parts.length === 0 ? [[""]] : parts;
}

/** The items of the outermost list; what is nested in them stays as it is written. */
function readItems(lines: readonly string[]): Parts {
  const parts: string[][] = [];
  let isLoose = false;
  let column = 0;
  let width = 0;
  for (const line of lines) {
    const [mark = "", indent = ""] = ITEM.exec(line) ?? [];
    const isItem = mark !== "" && (parts.length === 0 || indent.length < column + 2);
    if (isItem) {
      if (parts.at(-1)?.at(-1) === "") isLoose = true;
      column = indent.length;
      width = mark.replace(/\[[ xX]\] $/, "").length;
      parts.push([line.slice(mark.length)]);
    } else {
      const spaces = /^ */.exec(line)?.[0].length ?? 0;
      parts.at(-1)?.push(line.slice(Math.min(spaces, width)));
    }
  }
  return { parts: parts.map(withoutEnd), isLoose };
}

function withoutEnd(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, last + 1);
}

function write({ parts, isLoose }: Parts, turn: Turn): string {
  const all = parts.map((lines) => lines.join("\n")).join("\n\n");
  switch (turn) {
    case "text":
      return all;
    case "quote":
      return prefixed(all, "> ");
    case "code": {
      const longest = Math.max(2, ...[...all.matchAll(/`+/g)].map(([marks]) => marks.length));
      const fence = "`".repeat(longest + 1);
      return `${fence}\n${parts.map((lines) => lines.join("\n")).join(isLoose ? "\n\n" : "\n")}\n${fence}`;
    }
    case "list":
    case "numbers":
    case "tasks":
      return parts
        .map((lines, at) => {
          const mark = turn === "numbers" ? `${at + 1}. ` : "- ";
          const [first = "", ...others] = lines;
          const indent = " ".repeat(mark.length);
          const rest = others.map((line) => (line === "" ? "" : indent + line));
          return [mark + (turn === "tasks" ? "[ ] " : "") + first, ...rest].join("\n");
        })
        .join(
          isLoose && parts.length > 1 && parts.some((lines) => lines.length > 1) ? "\n\n" : "\n",
        );
    default: {
      // A heading is one line; what follows its first paragraph stays text.
      const [first = [], ...others] = parts;
      const heading = `${"#".repeat(Number(turn.at(-1)))} ${first.map((line) => line.trim()).join(" ")}`;
      return [heading, ...others.map((lines) => lines.join("\n"))].join("\n\n");
    }
  }
}

function prefixed(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? prefix.trimEnd() : prefix + line))
    .join("\n");
}
