import { csvParseRows } from "d3-dsv";
import { csvValue, formatCsv } from "#lib/text";
import type { Field, FlexRecord, RecordValues } from "../../api/answers.js";

const NESTED: ReadonlySet<string> = new Set([
  "checkboxes",
  "tags",
  "list",
  "object",
  "structure",
  "blocks",
  "pages",
  "records",
]);

/** The parts of a record type that CSV reads. */
interface Fields {
  readonly fields: readonly Field[];
}
/** A row of an imported file. */
export interface ImportedRow {
  /** Empty for a new record. */
  readonly id: string;
  /** Line in the file's table; the heading is 1. */
  readonly line: number;
  readonly values: RecordValues;
}
/** The content of an imported file. */
export interface ImportedFile {
  readonly rows: readonly ImportedRow[];
  /** Columns that no field has. */
  readonly unknown: readonly string[];
}

/** The records as CSV: a column for the id, then one for each field by its name. */
export function toCsv(type: Fields, records: readonly FlexRecord[]): string {
  const names = type.fields.map(({ name }) => name);
  const data = records.map((record) => [record._id, ...names.map((name) => toCell(record[name]))]);
  return formatCsv([["_id", ...names], ...data]);
}

/** Reads CSV with a line of headings: names or labels of fields. Empty cells remove values. */
export function fromCsv(type: Fields, text: string): ImportedFile {
  const lines = csvParseRows(text.replace(/^\uFEFF/, ""));
  const [heading = [], ...rows] = lines.filter((row) => row.some((cell) => cell.trim() !== ""));
  const columns = heading.map((cell) => findField(type, cell.trim()));
  const isMeta = (cell: string): boolean => cell === "" || cell.startsWith("_");
  return {
    unknown: heading
      .map((cell) => cell.trim())
      .filter((cell, at) => columns[at] === undefined && !isMeta(cell)),
    rows: rows.map((cells, at) => ({
      line: at + 2,
      id: (cells[heading.findIndex((cell) => cell.trim() === "_id")] ?? "").trim(),
      values: Object.fromEntries(
        columns.flatMap((field, column) =>
          field === undefined ? [] : [[field.name, parseValue(field, cells[column] ?? "")]],
        ),
      ),
    })),
  };
}

function findField(type: Fields, heading: string): Field | undefined {
  const { fields } = type;
  return (
    fields.find(({ name }) => name === heading) ?? fields.find(({ label }) => label === heading)
  );
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const isSimple =
    Array.isArray(value) && value.every((one) => typeof one === "string" && isPlain(one));
  if (isSimple) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** True for a text that is the same after a list is joined by commas and split again. */
function isPlain(text: string): boolean {
  return text !== "" && text === text.trim() && !text.includes(",") && !/^[[{]/.test(text);
}

function parseValue(field: Field, cell: string): unknown {
  const text = csvValue(cell);
  if (text === "") return null;
  if (!NESTED.has(field.type)) return text;
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // The server names the field.
      return text;
    }
  }
  const items = text.split(",").map((one) => one.trim());
  return items.filter((one) => one !== "");
}
