/** The source of a Markdown table: its cells, and edits that change only what they are about. */
import { differingRange } from "../../text/body-text.js";

/** The actions on a cell. */
export type TableAction =
  | "rowAbove"
  | "rowBelow"
  | "rowUp"
  | "rowDown"
  | "rowDelete"
  | "columnBefore"
  | "columnAfter"
  | "columnLeft"
  | "columnRight"
  | "columnDelete"
  | "alignLeft"
  | "alignCenter"
  | "alignRight";
/** A cell; the first row is the heading, the second one holds the dashes. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}
interface Row {
  /** Text before the first cell, and after the last one. */
  readonly open: string;
  readonly close: string;
  /** The text as written, with spaces. */
  readonly cells: readonly string[];
}

const ALIGNED = { alignLeft: " :--- ", alignCenter: " :---: ", alignRight: " ---: " } as const;
const DASHES = 1;

/** The number of the cell at an offset of a row. */
export function findColumn(line: string, offset: number): number {
  const { open, cells } = parse(line);
  let end = open.length;
  const at = cells.findIndex((cell) => (end += cell.length + 1) > offset);
  return at === -1 ? Math.max(0, cells.length - 1) : at;
}

/** The lines after an action and the cell for the cursor; null when it cannot be done there. */
export function editTable(
  lines: readonly string[],
  cell: Cell,
  action: TableAction,
): { lines: string[]; cell: Cell } | null {
  if (action === "rowAbove" || action === "rowBelow") return withRow(lines, cell, action);
  if (action === "rowDelete") return withoutRow(lines, cell);
  if (action === "rowUp" || action === "rowDown") return movedRow(lines, cell, action);
  if (action === "columnBefore" || action === "columnAfter") {
    const column = action === "columnBefore" ? cell.column : cell.column + 1;
    const next = lines.map((line, row) => inserted(line, column, row === DASHES ? " --- " : "  "));
    return { lines: next, cell: { row: cell.row, column } };
  }
  if (action === "columnDelete") return withoutColumn(lines, cell);
  if (action === "columnLeft" || action === "columnRight") return movedColumn(lines, cell, action);
  const next = [...lines];
  next[DASHES] = replaced(lines[DASHES] ?? "", cell.column, ALIGNED[action]);
  return { lines: next, cell };
}

function withRow(lines: readonly string[], { row }: Cell, action: "rowAbove" | "rowBelow") {
  // Nothing comes before the heading and its dashes.
  const at = Math.max(action === "rowAbove" ? row : row + 1, DASHES + 1);
  const { open, close, cells } = parse(lines[0] ?? "");
  const line = text({ open, close, cells: cells.map(() => "  ") });
  return { lines: lines.toSpliced(at, 0, line), cell: { row: at, column: 0 } };
}

function withoutRow(lines: readonly string[], cell: Cell) {
  if (cell.row <= DASHES) return null;
  const next = lines.toSpliced(cell.row, 1);
  const row = Math.min(cell.row, next.length - 1);
  return { lines: next, cell: { ...cell, row: row === DASHES ? 0 : row } };
}

/** The heading stays where it is. */
function movedRow(lines: readonly string[], cell: Cell, action: "rowUp" | "rowDown") {
  const to = action === "rowUp" ? cell.row - 1 : cell.row + 1;
  const line = lines[cell.row];
  if (cell.row <= DASHES || to <= DASHES || to >= lines.length || line === undefined) return null;
  return {
    lines: lines.toSpliced(cell.row, 1).toSpliced(to, 0, line),
    cell: { ...cell, row: to },
  };
}

function movedColumn(
  lines: readonly string[],
  { row, column }: Cell,
  action: "columnLeft" | "columnRight",
) {
  const to = action === "columnLeft" ? column - 1 : column + 1;
  if (to < 0 || to >= parse(lines[0] ?? "").cells.length) return null;
  const next = lines.map((line) => swapped(line, column, to));
  return { lines: next, cell: { row, column: to } };
}

function withoutColumn(lines: readonly string[], { row, column }: Cell) {
  if (parse(lines[0] ?? "").cells.length < 2) return null;
  const next = lines.map((line) => removed(line, column));
  return { lines: next, cell: { row, column: Math.max(0, column - 1) } };
}

function inserted(line: string, column: number, cell: string): string {
  const row = parse(line);
  const filled = [...row.cells];
  while (filled.length < column) filled.push("  ");
  return text({ ...row, cells: filled.toSpliced(column, 0, cell) });
}

function swapped(line: string, a: number, b: number): string {
  const row = parse(line);
  const cells = [...row.cells];
  while (cells.length <= Math.max(a, b)) cells.push("  ");
  [cells[a], cells[b]] = [cells[b] ?? "", cells[a] ?? ""];
  return text({ ...row, cells });
}

function removed(line: string, column: number): string {
  const row = parse(line);
  return text({ ...row, cells: row.cells.toSpliced(column, 1) });
}

function replaced(line: string, column: number, cell: string): string {
  const row = parse(line);
  return text({ ...row, cells: row.cells.with(Math.min(column, row.cells.length - 1), cell) });
}

/** A row of one cell is a row only with its bars. */
function text({ open, close, cells }: Row): string {
  const isPlain = !open.includes("|") && !close.includes("|");
  if (isPlain && cells.length < 2) return `${open}|${cells.join("|")}|${close}`;
  return open + cells.join("|") + close;
}

/** A bar behind a backslash is text, unless the backslash is behind another one. */
function parse(line: string): Row {
  const open = /^\s*\|?/.exec(line)?.[0] ?? "";
  const cells: string[] = [];
  let from = open.length;
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === "\\" && /[\\|]/.test(line[at + 1] ?? "")) at += 1;
    else if (line[at] === "|") {
      cells.push(line.slice(from, at));
      from = at + 1;
    }
  }
  const rest = line.slice(from);
  // Nothing but spaces behind the last bar: it closes the row.
  if (cells.length > 0 && rest.trim() === "") return { open, close: `|${rest}`, cells };
  const close = /\s*$/.exec(rest)?.[0] ?? "";
  return { open, close, cells: [...cells, rest.slice(0, rest.length - close.length)] };
}

/** How a column is aligned. */
export type Alignment = "start" | "center" | "end" | null;

/** A table as a writer sees it. */
export interface TableCells {
  readonly alignments: readonly Alignment[];
  /** The heading first. Every row has as many cells as the heading. */
  readonly rows: readonly (readonly string[])[];
}

/** The cells of the lines of a table; the line of dashes is no row. */
export function readTable(lines: readonly string[]): TableCells {
  const [heading = "", dashes = "", ...body] = lines;
  const width = parse(heading).cells.length;
  return {
    alignments: parse(dashes).cells.map((cell) => alignment(cell.trim())),
    rows: [heading, ...body].map((line) => {
      const { cells } = parse(line);
      return Array.from({ length: width }, (_, at) => shown((cells[at] ?? "").trim()));
    }),
  };
}

function alignment(dashes: string): Alignment {
  const isStart = dashes.startsWith(":");
  if (dashes.endsWith(":")) return isStart ? "center" : "end";
  return isStart ? "start" : null;
}

/** The line of a table in which a row of the grid stands. */
export function lineOfRow(row: number): number {
  return row === 0 ? 0 : row + DASHES;
}

/** The row of the grid that stands in a line of a table; the dashes belong to the heading. */
export function rowOfLine(line: number): number {
  return line <= DASHES ? 0 : line - DASHES;
}

/** The change of a line that gives a cell its text; null when it has it. Spaces around it stay. */
export function cellChange(
  line: string,
  column: number,
  words: string,
): { from: number; to: number; insert: string } | null {
  const { open, close, cells } = parse(line);
  const { from, to } = cellRange(line, column);
  const source = written(words);
  if (column >= cells.length) {
    if (words === "") return null;
    const missing = Array.from({ length: column - cells.length }, () => "  ");
    return { from, to, insert: `|${[...missing, ` ${source} `].join("|")}` };
  }
  // An empty cell at an edge without a bar would not be a cell.
  const isFirst = column === 0 && !open.includes("|");
  const isLast = column === cells.length - 1 && !close.includes("|");
  if (source === "" && (isFirst || isLast)) return { from, to, insert: "|" };
  // A backslash would make text of the bar behind it.
  const isOpen = line[to] === "|" && /(?:^|[^\\])(?:\\\\)*\\$/.test(source);
  const change = differingRange(line.slice(from, to), isOpen ? `${source} ` : source);
  return change && { ...change, from: from + change.from, to: from + change.to };
}

/** Where the text of a cell stands in its line; the end of the line for a cell that is not there. */
export function cellRange(line: string, column: number): { from: number; to: number } {
  const { open, close, cells } = parse(line);
  const cell = cells[column];
  if (cell === undefined) {
    const at = line.length - close.length;
    return { from: at, to: at };
  }
  const start =
    open.length + cells.slice(0, column).reduce((sum, { length }) => sum + length + 1, 0);
  const { from, to } = innerRange(cell);
  return { from: start + from, to: start + to };
}

/** The text between the spaces of a cell; in an empty one, the place behind the first space. */
function innerRange(cell: string): { from: number; to: number } {
  const from = cell.length - cell.trimStart().length;
  if (from === cell.length) return { from: Math.min(1, from), to: Math.min(1, from) };
  return { from, to: cell.trimEnd().length };
}

/** A cell's source as text: bars without their backslash. */
function shown(source: string): string {
  return source.replace(/\\([\\|])/g, (both, mark: string) => (mark === "|" ? "|" : both));
}

/** A text as a cell's source, on one line. */
export function written(words: string): string {
  return words
    .replace(/\s*\n\s*/g, " ")
    .replace(/\\[\\|]|\|/g, (part) => (part === "|" ? "\\|" : part));
}
