// Also bundled into the panel: no import, nothing of Node.

/**
 * Spreadsheets run a cell that starts with one of these as a formula, after blanks too. Quotes before it
 * count, so that `csvValue` gives back every value.
 */
const FORMULA = /^'*[\s\p{C}]*[=+\-@|%\t\r＝＋－＠]/u;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Tells spreadsheets that the text is UTF-8. */
const MARK = "\uFEFF";

/**
 * Rows as CSV (RFC 4180) that is safe to open in a spreadsheet: a cell that it would run as a formula
 * starts with a quote. Plain numbers such as `-1` do not.
 */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return `${MARK}${rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("")}`;
}

/** The value of a cell that `formatCsv` has written. */
export function csvValue(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

function cellOf(value: string): string {
  const isFormula = FORMULA.test(value) && !NUMBER.test(value);
  const text = isFormula ? `'${value}` : value;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
