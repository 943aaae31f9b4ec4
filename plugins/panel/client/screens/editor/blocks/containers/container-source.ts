/** Containers (`::: note Title`) and alerts (`> [!NOTE]`) in the text: where their parts stand, and changes of these parts. */
import type { ChangeSpec, EditorState, Line, Text } from "@codemirror/state";
import type { SyntaxNode, Tree } from "@lezer/common";
import { differingRange } from "../../text/body-text.js";
import { textChange } from "../picture-source.js";

/** Positions in the text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A container: whole lines, from the one that opens it to the one that closes it. */
export interface Container extends TextRange {
  /** Its kind in lower case: `note`, `tabs`. */
  readonly name: string;
  readonly colons: number;
  /** Start of the line that closes it. */
  readonly closing: number;
  /** Containers directly in it, in their order. */
  readonly children: readonly Container[];
}

interface Open {
  readonly name: string;
  readonly colons: number;
  readonly from: number;
  children: Container[];
}

/** The outermost containers; one that is not closed is text. */
export function findContainers({ doc }: EditorState, tree: Tree): readonly Container[] {
  const found: Container[] = [];
  let open: Open[] = [];
  for (let at = 1; at <= doc.lines; at += 1) {
    const { from, to, text } = doc.line(at);
    const [, marks = "", rest = ""] = /^ {0,3}(:{3,})(.*)$/.exec(text) ?? [];
    if (marks === "" || isVerbatim(tree, from)) continue;
    const colons = marks.length;
    if (rest.trim() !== "") {
      const name = /^[\w-]*/.exec(rest.trim())?.[0].toLowerCase() ?? "";
      // An include is one line.
      if (name !== "include") open.push({ name, colons, from, children: [] });
      continue;
    }
    const closed = closedBy(open, colons);
    const [first, ...unclosed] = open.slice(closed);
    if (first === undefined) continue;
    open = open.slice(0, closed);
    const children = [...first.children, ...unclosed.flatMap((one) => one.children)];
    const container = { ...first, to, closing: from, children };
    (open.at(-1)?.children ?? found).push(container);
  }
  return found;
}

/** Index of the container that a line of colons closes: the innermost with as many, else the outermost with fewer. */
function closedBy(open: readonly Open[], colons: number): number {
  const inner = open.findLastIndex((one) => one.colons === colons);
  const closed = inner === -1 ? open.findIndex((one) => one.colons < colons) : inner;
  return closed === -1 ? open.length : closed;
}

/** True in code and HTML, whose lines are no Markdown. */
function isVerbatim(tree: Tree, position: number): boolean {
  let node = tree.resolveInner(position, 1);
  while (node.parent !== null) {
    if (/^(?:FencedCode|CodeBlock|CodeText|HTMLBlock|CommentBlock)$/.test(node.name)) return true;
    node = node.parent;
  }
  return false;
}

/** The line that opens a container or an alert; its ranges count in the line. */
export interface BoxHead {
  /** In lower case. */
  readonly name: string;
  readonly nameRange: TextRange;
  readonly isAlert: boolean;
  /** As it is read; empty without one. */
  readonly title: string;
  /** As it is written, with blanks behind it; null without one. */
  readonly titleRange: TextRange | null;
  /** True for the form `:::note[Title]`. */
  readonly isBracketed: boolean;
}

/** Reads the line that opens a container or an alert; null for another line. */
export function readHead(line: string): BoxHead | null {
  const alert = /^( {0,3}> ?\[!)(note|tip|important|warning|caution)\][ \t]*$/i.exec(line);
  if (alert !== null) return { ...headOf(alert[1] ?? "", alert[2] ?? ""), isAlert: true };
  const opening = /^( {0,3}:{3,}[ \t]*)([a-z][a-z-]*)(.*)$/i.exec(line);
  if (opening === null) return null;
  const [, before = "", name = "", rest = ""] = opening;
  return { ...headOf(before, name), ...readTitle(rest, before.length + name.length) };
}

/** The title in what follows the kind of a container; `start`: where this begins in the line. */
function readTitle(rest: string, start: number): Partial<BoxHead> {
  const bracketed = /^\[((?:\\.|[^\\\]])*)\]/.exec(rest)?.[1];
  if (bracketed !== undefined) {
    const titleRange = { from: start + 1, to: start + 1 + bracketed.length };
    const title = bracketed.replace(/\\([[\]\\])/g, "$1");
    return { title, titleRange, isBracketed: true };
  }
  const attributes = /(?:^|[ \t])\{[^{}]*\}[ \t]*$/.exec(rest)?.[0] ?? "";
  const blanks = /^[ \t]*/.exec(rest)?.[0].length ?? 0;
  const written = rest.slice(blanks, rest.length - attributes.length);
  if (blanks === 0 || written === "") return {};
  const from = start + blanks;
  return { title: written.trim(), titleRange: { from, to: from + written.length } };
}

function headOf(before: string, name: string): BoxHead {
  const nameRange = { from: before.length, to: before.length + name.length };
  return {
    name: name.toLowerCase(),
    nameRange,
    isAlert: false,
    title: "",
    titleRange: null,
    isBracketed: false,
  };
}

/** A change of a line, with ranges of the text. */
interface LineChange extends TextRange {
  readonly insert: string;
}

/** Gives a box another kind, in the case of the old one. */
export function kindChange(line: Line, name: string): LineChange | null {
  const head = readHead(line.text);
  if (head === null || head.name === name) return null;
  const { from, to } = head.nameRange;
  const old = line.text.slice(from, to);
  const insert = old === old.toUpperCase() ? name.toUpperCase() : name;
  return { from: line.from + from, to: line.from + to, insert };
}

/** Gives a container another title: only characters that differ change. */
export function titleChange(line: Line, value: string): LineChange | null {
  const head = readHead(line.text);
  if (head === null || head.isAlert) return null;
  const { nameRange, titleRange, isBracketed } = head;
  const title = value.replace(/\s*\n\s*/g, " ").trimStart();
  if (titleRange === null) {
    const at = line.from + nameRange.to;
    return title === "" ? null : { from: at, to: at, insert: ` ${title}` };
  }
  const from = line.from + titleRange.from;
  if (!isBracketed && title.trim() === "") {
    return { from: line.from + nameRange.to, to: line.from + titleRange.to, insert: "" };
  }
  const written = line.text.slice(titleRange.from, titleRange.to);
  const change = isBracketed ? textChange(written, title, "]") : differingRange(written, title);
  return change && { ...change, from: from + change.from, to: from + change.to };
}

/** The text of a new tab; `colons` are those of its lines. */
export function tabText(title: string, colons: number): string {
  const marks = ":".repeat(colons);
  return `${marks} tab ${title}\n\n${marks}\n`;
}

/** Adds a tab behind the others. */
export function addTab({ colons, closing, children }: Container, title: string): LineChange {
  const inner = children.find(({ name }) => name === "tab")?.colons ?? Math.max(3, colons - 1);
  return { from: closing, to: closing, insert: tabText(title, inner) };
}

/** Removes whole lines with the line end behind them. */
export function withoutLines(doc: Text, { from, to }: TextRange): LineChange {
  return { from, to: Math.min(to + 1, doc.length), insert: "" };
}

/** Puts an item in the place of its neighbour and the neighbour in its own; what is between them stays. */
export function swapped(
  doc: Text,
  items: readonly TextRange[],
  at: number,
  by: -1 | 1,
): ChangeSpec[] {
  const [one, other] = [items[at], items[at + by]];
  if (one === undefined || other === undefined) return [];
  return [
    { from: one.from, to: one.to, insert: doc.sliceString(other.from, other.to) },
    { from: other.from, to: other.to, insert: doc.sliceString(one.from, one.to) },
  ];
}

/** Removes an item of a list in the text: with its line where it is alone on it, else with the blanks before it. */
export function withoutItem(doc: Text, { from, to }: TextRange): LineChange {
  const line = doc.lineAt(from);
  const before = line.text.slice(0, from - line.from);
  const after = line.text.slice(to - line.from);
  if (before.trim() === "" && after.trim() === "") return withoutLines(doc, line);
  const blanks = /[ \t]*$/.exec(before)?.[0].length ?? 0;
  return { from: from - blanks, to, insert: "" };
}

/** The nodes of one kind that are all that a container has, in their order; null when it has something else. */
export function itemsOf(
  state: EditorState,
  tree: Tree,
  container: Container,
  kind: "Image" | "Link",
): readonly SyntaxNode[] | null {
  const start = Math.min(state.doc.lineAt(container.from).to + 1, container.closing);
  const items: SyntaxNode[] = [];
  tree.iterate({
    from: start,
    to: container.closing,
    enter: ({ node }) => {
      if (node.name !== kind || node.from < start || node.to > container.closing) return true;
      items.push(node);
      return false;
    },
  });
  let rest = "";
  let at = start;
  for (const { from, to } of items) {
    rest += state.sliceDoc(at, from);
    at = to;
  }
  rest += state.sliceDoc(at, container.closing);
  return rest.trim() === "" ? items : null;
}
