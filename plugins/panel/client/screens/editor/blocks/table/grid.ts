/**
 * A table as a grid whose cells are typed into. Every edit is a change of the text, so that there is one history;
 * the text's selection follows the cursor in a cell, so that commands on the text work there too.
 */
import { redo, undo } from "@codemirror/commands";
import { type EditorView, runScopeHandlers } from "@codemirror/view";
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  BetweenVerticalEnd,
  BetweenVerticalStart,
  createElement,
  Ellipsis,
  FoldHorizontal,
  FoldVertical,
  Trash2,
  type IconNode,
} from "lucide";
import { texts } from "../../../../app/texts.js";
import de from "../../../../locales/de/table.json";
import en from "../../../../locales/en/table.json";
import { openMenu, type MenuItem } from "../handle/menu.js";
import {
  cellOf,
  edge,
  fill,
  isAtEdge,
  paste,
  placeOf,
  readLength,
  readSelection,
  setSelection,
  wordsOf,
  type Place,
} from "./cell.js";
import {
  cellRange,
  editTable,
  findColumn,
  lineOfRow,
  readTable,
  rowOfLine,
  type TableAction,
  type TableCells,
} from "./source.js";
import { TableText } from "./text.js";

const t = texts({ en, de });

/** Rows of a part of a long table: parts out of view are not drawn. */
const PART = 40;
/** Height of a row that is not drawn yet, in pixels. */
export const ROW_PX = 38;
const MARGIN = "800px";

const ROW_ACTIONS: readonly (readonly [TableAction, IconNode])[] = [
  ["rowAbove", BetweenHorizontalEnd],
  ["rowBelow", BetweenHorizontalStart],
  ["rowUp", ArrowUp],
  ["rowDown", ArrowDown],
  ["rowDelete", FoldVertical],
];
const COLUMN_ACTIONS: readonly (readonly [TableAction, IconNode])[] = [
  ["columnBefore", BetweenVerticalEnd],
  ["columnAfter", BetweenVerticalStart],
  ["columnLeft", ArrowLeft],
  ["columnRight", ArrowRight],
  ["columnDelete", FoldHorizontal],
];
const ALIGN_ACTIONS: readonly (readonly [TableAction, IconNode])[] = [
  ["alignLeft", AlignLeft],
  ["alignCenter", AlignCenter],
  ["alignRight", AlignRight],
];

/** One table on the screen. */
export class Grid {
  readonly dom = document.createElement("div");
  readonly #view: EditorView;
  readonly #text: TableText;
  readonly #table = document.createElement("table");
  #lines: readonly string[] = [];
  #cells: TableCells = { alignments: [], rows: [] };
  #current: Place = { row: 0, column: 0 };
  #parts: IntersectionObserver | null = null;

  constructor(view: EditorView, lines: readonly string[]) {
    this.#view = view;
    this.#text = new TableText(view, this.dom);
    this.dom.className = "md-table";
    this.dom.contentEditable = "false";
    this.#table.setAttribute("role", "grid");
    this.dom.append(this.#table);
    this.dom.addEventListener("focusin", ({ target }) => this.#focused(target));
    this.dom.addEventListener("focusout", ({ target }) => this.#left(target));
    this.dom.addEventListener("input", ({ target }) => this.#typed(target));
    this.dom.addEventListener("keydown", (event) => this.#pressed(event));
    this.dom.addEventListener("paste", (event) => paste(event));
    this.dom.addEventListener("beforeinput", (event) => this.#beforeInput(event));
    document.addEventListener("selectionchange", this.#selected);
    this.show(lines);
  }

  destroy(): void {
    document.removeEventListener("selectionchange", this.#selected);
    this.#parts?.disconnect();
  }

  /** Shows other lines; cells with the same text are left alone, the one that is typed into among them. */
  show(lines: readonly string[]): void {
    const before = this.#cells;
    this.#lines = lines;
    this.#cells = readTable(lines);
    const { rows } = this.#cells;
    const width = rows[0]?.length ?? 0;
    this.#table.setAttribute("aria-label", t("grid", { rows: rows.length, columns: width }));
    this.#table.setAttribute("aria-rowcount", String(rows.length));
    const isSameShape = before.rows.length === rows.length && before.rows[0]?.length === width;
    if (!isSameShape) return this.#draw();
    for (const element of this.#table.querySelectorAll<HTMLElement>(".md-cell")) {
      const place = placeOf(element);
      this.#align(element, place.column);
      const text = rows[place.row]?.[place.column] ?? "";
      if (wordsOf(element) !== text) fill(element, text);
    }
  }

  /** Puts the cursor into a cell; `from` and `to` count in its text, and all of it is selected without them. */
  focus({ row, column }: Place, range?: { from: number; to: number }): void {
    const part = this.#table.querySelector<HTMLElement>(`tbody[data-first="${partOf(row)}"]`);
    if (part !== null && part.querySelector(".md-cell") === null) this.#fillPart(part);
    const cell = this.#find({ row, column });
    if (cell === null) return;
    this.#current = { row, column };
    cell.focus();
    const length = wordsOf(cell).length;
    setSelection(cell, range?.from ?? 0, range?.to ?? length);
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Puts the cursor where the selection of the text is. */
  focusSelection(): void {
    const { doc, selection } = this.#view.state;
    const first = this.#text.firstLine();
    const { from, to, head } = selection.main;
    const line = doc.lineAt(head);
    if (line.number < first || line.number >= first + this.#lines.length) {
      return this.#view.focus();
    }
    const at = Math.max(0, Math.min(line.number - first, this.#lines.length - 1));
    const text = this.#lines[at] ?? "";
    const width = this.#cells.rows[0]?.length ?? 1;
    const column = Math.min(at === 1 ? 0 : findColumn(text, head - line.from), width - 1);
    const range = cellRange(text, column);
    const offset = (position: number): number => {
      const end = Math.min(Math.max(position - line.from, range.from), range.to);
      return readLength(text.slice(range.from, end));
    };
    this.focus({ row: rowOfLine(at), column }, { from: offset(from), to: offset(to) });
  }

  #draw(): void {
    this.#parts?.disconnect();
    const { rows } = this.#cells;
    // The cell with the cursor is replaced: another one gets it.
    if (this.dom.contains(document.activeElement)) queueMicrotask(() => this.focusSelection());
    const head = document.createElement("thead");
    head.append(this.#row(0));
    const bodies: HTMLElement[] = [];
    for (let first = 1; first < rows.length; first += PART) {
      const body = document.createElement("tbody");
      body.dataset["first"] = String(first);
      bodies.push(body);
    }
    this.#table.replaceChildren(head, ...bodies);
    this.#table.classList.toggle("is-long", bodies.length > 1);
    const [only, ...others] = bodies;
    if (only !== undefined) this.#fillPart(only);
    if (others.length === 0) return;
    for (const body of others) this.#emptyPart(body);
    this.#parts = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (!(target instanceof HTMLElement)) continue;
          if (isIntersecting) this.#fillPart(target);
          else if (!target.contains(document.activeElement)) this.#emptyPart(target);
        }
      },
      { rootMargin: MARGIN },
    );
    for (const body of bodies) this.#parts.observe(body);
  }

  #fillPart(body: HTMLElement): void {
    if (body.querySelector(".md-cell") !== null) return;
    const first = Number(body.dataset["first"]);
    const count = Math.min(PART, this.#cells.rows.length - first);
    body.replaceChildren(...Array.from({ length: count }, (_, at) => this.#row(first + at)));
  }

  #emptyPart(body: HTMLElement): void {
    const count = Math.min(PART, this.#cells.rows.length - Number(body.dataset["first"]));
    const height = body.querySelector(".md-cell") === null ? count * ROW_PX : body.offsetHeight;
    const row = document.createElement("tr");
    const cell = document.createElement("td");
    cell.colSpan = this.#cells.rows[0]?.length ?? 1;
    cell.style.height = `${height}px`;
    row.append(cell);
    body.replaceChildren(row);
  }

  #row(row: number): HTMLElement {
    const element = document.createElement("tr");
    element.setAttribute("aria-rowindex", String(row + 1));
    const cells = (this.#cells.rows[row] ?? []).map((text, column) => {
      const frame = document.createElement(row === 0 ? "th" : "td");
      frame.setAttribute("role", row === 0 ? "columnheader" : "gridcell");
      const cell = document.createElement("div");
      cell.className = "md-cell";
      cell.dataset["row"] = String(row);
      cell.dataset["column"] = String(column);
      cell.setAttribute("role", "textbox");
      cell.setAttribute("aria-label", t("cell", { row: row + 1, column: column + 1 }));
      const isEditable = !this.#view.state.readOnly;
      if (isEditable) cell.contentEditable = "plaintext-only";
      else cell.setAttribute("aria-readonly", "true");
      const { row: currentRow, column: currentColumn } = this.#current;
      cell.tabIndex = row === currentRow && column === currentColumn ? 0 : -1;
      this.#align(cell, column);
      fill(cell, text);
      frame.append(cell);
      if (isEditable && row === 0) frame.append(this.#handle("column", { row, column }));
      if (isEditable && column === 0) frame.append(this.#handle("row", { row, column }));
      return frame;
    });
    element.append(...cells);
    return element;
  }

  #handle(kind: "row" | "column", place: Place): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `md-handle md-handle-${kind}`;
    button.tabIndex = -1;
    const number = kind === "row" ? place.row + 1 : place.column + 1;
    button.setAttribute("aria-label", t(`${kind}.handle`, { n: number }));
    button.setAttribute("aria-haspopup", "menu");
    button.append(createElement(Ellipsis, { width: 14, height: 14, "aria-hidden": "true" }));
    button.addEventListener("click", () => this.#menu(button, place, kind));
    return button;
  }

  #menu(anchor: Element, place: Place, kind: "row" | "column" | "cell"): void {
    const item = ([action, icon]: readonly [TableAction, IconNode]): MenuItem => ({
      label: t(action),
      icon,
      isDisabled: editTable(this.#lines, atLine(place), action) === null,
      run: () => this.#act(action, place),
    });
    const groups = [
      ...(kind === "column" ? [] : [ROW_ACTIONS.map(item)]),
      ...(kind === "row" ? [] : [COLUMN_ACTIONS.map(item), ALIGN_ACTIONS.map(item)]),
      [{ label: t("delete"), icon: Trash2, run: () => this.#text.delete(this.#lines.length) }],
    ];
    openMenu(anchor, {
      label: t(kind === "cell" ? "title" : `${kind}.handle`, {
        n: kind === "row" ? place.row + 1 : place.column + 1,
      }),
      groups,
      onClose: () => this.focus(place),
    });
  }

  #act(action: TableAction, place: Place): void {
    const edited = editTable(this.#lines, atLine(place), action);
    if (edited === null) return;
    this.#text.replace(this.#lines, edited);
    this.focus({ row: rowOfLine(edited.cell.row), column: edited.cell.column });
  }

  #typed(target: EventTarget | null): void {
    const cell = cellOf(target);
    if (cell === null) return;
    const words = wordsOf(cell);
    this.#text.type(placeOf(cell), words, words.slice(0, readSelection(cell)?.head ?? 0));
  }

  /** What the browser would undo or format by itself is the editor's. */
  #beforeInput(event: InputEvent): void {
    const { inputType } = event;
    if (inputType === "historyUndo") undo(this.#view);
    else if (inputType === "historyRedo") redo(this.#view);
    else if (!/^format|Paragraph$|LineBreak$/.test(inputType)) return;
    event.preventDefault();
  }

  #pressed(event: KeyboardEvent): void {
    const cell = cellOf(event.target);
    if (cell === null || event.isComposing) return;
    if (this.#moved(event, cell) || this.#commanded(event, cell)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** True for a key that moves to another cell, or out of the table. */
  #moved(event: KeyboardEvent, cell: HTMLElement): boolean {
    const { row, column } = placeOf(cell);
    const { key, shiftKey } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (key === "Tab") return this.#step(row, column, shiftKey ? -1 : 1, "all");
    if (key === "Escape") return this.#text.leave("after", this.#lines.length);
    if (key === "Enter")
      return this.#below(row, column, () => this.#text.addParagraph(this.#lines.length));
    if (key === "ArrowDown")
      return this.#below(row, column, () => this.#text.leave("after", this.#lines.length));
    if (key === "ArrowUp") {
      if (row === 0) return this.#text.leave("before", this.#lines.length);
      this.focus({ row: row - 1, column }, edge(0));
      return true;
    }
    const side = SIDES[key] ?? 0;
    if (side === 0 || shiftKey || !isAtEdge(cell, side)) return false;
    return this.#step(row, column, side, "edge");
  }

  #below(row: number, column: number, leave: () => void): true {
    if (row < this.#cells.rows.length - 1) this.focus({ row: row + 1, column }, edge(0));
    else leave();
    return true;
  }

  /** Goes to the next cell or the one before; Tab, which selects all of it, adds a row at the end. */
  #step(row: number, column: number, side: 1 | -1, select: "all" | "edge"): true {
    const width = this.#cells.rows[0]?.length ?? 1;
    const next = row * width + column + side;
    if (next < 0) return this.#text.leave("before", this.#lines.length);
    if (next >= this.#cells.rows.length * width) {
      if (select === "edge") return this.#text.leave("after", this.#lines.length);
      this.#act("rowBelow", { row, column: 0 });
      return true;
    }
    const place = { row: Math.floor(next / width), column: next % width };
    this.focus(place, select === "all" ? undefined : edge(side < 0 ? Infinity : 0));
    return true;
  }

  /** True for a key that is a command of the table or of the text. */
  #commanded(event: KeyboardEvent, cell: HTMLElement): boolean {
    const place = placeOf(cell);
    const { key, altKey, shiftKey } = event;
    if (key === "ContextMenu" || (key === "F10" && shiftKey)) {
      this.#menu(cell, place, "cell");
      return true;
    }
    const isCommand = event.ctrlKey || event.metaKey;
    if (altKey && !isCommand) {
      const action = ALT_KEYS[key];
      if (action === undefined) return false;
      this.#act(action, place);
      return true;
    }
    if (!isCommand || !/^(?:[bikezyf/]|Home|End)$/i.test(key)) return false;
    // The browser tells of a new selection later.
    this.#selected();
    const isDone = runScopeHandlers(this.#view, event, "editor");
    // To the beginning or the end of the text.
    if (isDone && key.length > 1) this.#view.focus();
    // A command focuses the text, which would take what is typed next.
    else if (this.#view.hasFocus) this.focusSelection();
    return isDone;
  }

  #focused(target: EventTarget | null): void {
    const cell = cellOf(target);
    if (cell === null) return;
    this.#current = placeOf(cell);
    for (const one of this.#table.querySelectorAll<HTMLElement>(".md-cell[tabindex='0']")) {
      one.tabIndex = -1;
    }
    cell.tabIndex = 0;
  }

  /** Its marks were shown as they were typed: they are found again. */
  #left(target: EventTarget | null): void {
    const cell = cellOf(target);
    if (cell !== null) fill(cell, wordsOf(cell).trim());
  }

  /** The text's selection follows the cursor. */
  readonly #selected = (): void => {
    const cell = cellOf(document.activeElement);
    if (cell === null || !this.dom.contains(cell)) return;
    const selected = readSelection(cell);
    if (selected === null) return;
    const words = wordsOf(cell);
    this.#text.select(placeOf(cell), {
      anchor: words.slice(0, selected.anchor),
      head: words.slice(0, selected.head),
    });
  };

  #find({ row, column }: Place): HTMLElement | null {
    return this.#table.querySelector(`.md-cell[data-row="${row}"][data-column="${column}"]`);
  }

  #align(cell: HTMLElement, column: number): void {
    const alignment = this.#cells.alignments[column] ?? null;
    if (alignment === null) delete cell.dataset["align"];
    else cell.dataset["align"] = alignment;
  }
}

const SIDES: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 };

const ALT_KEYS: Readonly<Record<string, TableAction>> = {
  ArrowUp: "rowUp",
  ArrowDown: "rowDown",
  ArrowLeft: "columnLeft",
  ArrowRight: "columnRight",
};

function atLine({ row, column }: Place): Place {
  return { row: lineOfRow(row), column };
}

function partOf(row: number): number {
  return row - ((row - 1) % PART);
}
