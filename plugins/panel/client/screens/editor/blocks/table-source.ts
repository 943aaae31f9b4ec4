/** Edits of a Markdown table: only the cells that come or go change. */

/** The actions on a cell. */
export type TableAction =
  | "rowAbove"
  | "rowBelow"
  | "rowDelete"
  | "columnBefore"
  | "columnAfter"
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

/** The offset of a cell's text in its row. */
export function cellOffset(line: string, column: number): number {
  const { open, cells } = parse(line);
  const before = cells.slice(0, column).reduce((sum, cell) => sum + cell.length + 1, 0);
  const space = /^\s/.test(cells[column] ?? "") ? 1 : 0;
  return Math.min(line.length, open.length + before + space);
}

/** The lines after an action and the cell for the cursor; null when it cannot be done there. */
export function editTable(
  lines: readonly string[],
  cell: Cell,
  action: TableAction,
): { lines: string[]; cell: Cell } | null {
  if (action === "rowAbove" || action === "rowBelow") return withRow(lines, cell, action);
  if (action === "rowDelete") return withoutRow(lines, cell);
  if (action === "columnBefore" || action === "columnAfter") {
    const column = action === "columnBefore" ? cell.column : cell.column + 1;
    const next = lines.map((line, row) => inserted(line, column, row === DASHES ? " --- " : "  "));
    return { lines: next, cell: { row: cell.row, column } };
  }
  if (action === "columnDelete") return withoutColumn(lines, cell);
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

/** Bars behind a backslash are text. */
function parse(line: string): Row {
  const open = /^\s*\|?/.exec(line)?.[0] ?? "";
  const rest = line.slice(open.length);
  const close = /(?<!\\)\|\s*$/.exec(rest)?.[0] ?? /\s*$/.exec(rest)?.[0] ?? "";
  const inner = rest.slice(0, rest.length - close.length);
  return { open, close, cells: inner.split(/(?<!\\)\|/) };
}
