/** What a grid changes in the text: each edit of a table is one change of its lines, with the cursor that belongs to it. */
import type { ChangeSpec, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Place } from "./cell.js";
import { cellChange, cellRange, lineOfRow, written } from "./source.js";

/** The lines of one table in the text. `dom` is its grid, by which its place is found. */
export class TableText {
  readonly #view: EditorView;
  readonly #dom: HTMLElement;

  constructor(view: EditorView, dom: HTMLElement) {
    this.#view = view;
    this.#dom = dom;
  }

  /** Number of the table's first line in the text. */
  firstLine(): number {
    return this.#view.state.doc.lineAt(this.#view.posAtDOM(this.#dom)).number;
  }

  /** Writes the words of a cell, of which `before` stand before the cursor. */
  type({ row, column }: Place, words: string, before: string): void {
    const line = this.#view.state.doc.line(this.firstLine() + lineOfRow(row));
    const change = cellChange(line.text, column, words.trim());
    if (change === null) return;
    const { from, to, insert } = change;
    const next = line.text.slice(0, from) + insert + line.text.slice(to);
    const range = cellRange(next, column);
    const head = Math.min(range.to, range.from + written(before.trimStart()).length);
    // With the selection of the same moment: a later change of it would end the step of the history.
    this.#view.dispatch({
      changes: { from: line.from + from, to: line.from + to, insert },
      selection: { anchor: line.from + head },
      userEvent: "input.type",
    });
  }

  /** Selects words of a cell: what stands before both ends of the selection. */
  select({ row, column }: Place, before: { anchor: string; head: string }): void {
    const line = this.#view.state.doc.line(this.firstLine() + lineOfRow(row));
    const { from, to } = cellRange(line.text, column);
    const position = (words: string): number =>
      line.from + Math.min(to, from + written(words).length);
    const anchor = position(before.anchor);
    const head = position(before.head);
    const { main } = this.#view.state.selection;
    if (main.anchor !== anchor || main.head !== head) {
      this.#view.dispatch({ selection: { anchor, head } });
    }
  }

  /** Writes the lines that differ, and selects a cell of the new ones. */
  replace(
    old: readonly string[],
    { lines, cell }: { lines: readonly string[]; cell: Place },
  ): void {
    const { doc } = this.#view.state;
    const first = this.firstLine();
    const before = lines.slice(0, cell.row).reduce((sum, { length }) => sum + length + 1, 0);
    const start = doc.line(first).from + before;
    const { from, to } = cellRange(lines[cell.row] ?? "", cell.column);
    this.#view.dispatch({
      changes: changedLines(doc, { first, old, lines }),
      selection: { anchor: start + from, head: start + to },
      userEvent: "input.format",
    });
  }

  /** Deletes all `count` lines. */
  delete(count: number): void {
    const { doc } = this.#view.state;
    const first = this.firstLine();
    const from = doc.line(first).from;
    const to = doc.line(first + count - 1).to;
    this.#view.dispatch({
      changes: { from, to },
      selection: { anchor: from },
      userEvent: "delete",
    });
    this.#view.focus();
  }

  /** Goes on in the text above or below; a paragraph is added where the text ends with the table. */
  leave(side: "before" | "after", count: number): true {
    const { doc } = this.#view.state;
    const first = this.firstLine();
    const last = first + count - 1;
    if (side === "before" && first === 1) return true;
    if (side === "after" && last + 1 >= doc.lines) {
      this.addParagraph(count);
      return true;
    }
    // The empty line below a table belongs to neither.
    const anchor = side === "before" ? doc.line(first - 1).to : doc.line(last + 2).from;
    this.#view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.#view.focus();
    return true;
  }

  /** Begins a paragraph below the table of `count` lines. */
  addParagraph(count: number): void {
    const { to } = this.#view.state.doc.line(this.firstLine() + count - 1);
    this.#view.dispatch({
      changes: { from: to, insert: "\n\n" },
      selection: { anchor: to + 2 },
      scrollIntoView: true,
      userEvent: "input",
    });
    this.#view.focus();
  }
}

interface Lines {
  /** Number of the first line in the text. */
  readonly first: number;
  readonly old: readonly string[];
  readonly lines: readonly string[];
}

/** The change of the lines that differ; equal ones above and below are left alone. */
function changedLines(doc: Text, { first, old, lines }: Lines): ChangeSpec {
  const shorter = Math.min(old.length, lines.length);
  let top = 0;
  while (top < shorter && old[top] === lines[top]) top += 1;
  let bottom = 0;
  while (bottom < shorter - top && old.at(-1 - bottom) === lines.at(-1 - bottom)) bottom += 1;
  const removed = old.length - bottom - top;
  const added = lines.slice(top, lines.length - bottom);
  if (removed === 0) {
    return {
      from: doc.line(first + top - 1).to,
      insert: added.map((line) => `\n${line}`).join(""),
    };
  }
  const to = doc.line(first + top + removed - 1).to;
  return added.length === 0
    ? { from: doc.line(first + top - 1).to, to }
    : { from: doc.line(first + top).from, to, insert: added.join("\n") };
}
