import type { Field, FlexRecord, RecordType } from "../../api/types.js";

const MAX_COLUMNS = 4;
const LONG: ReadonlySet<string> = new Set([
  "textarea",
  "markdown",
  "code",
  "object",
  "structure",
  "blocks",
  "hidden",
]);

/** The fields that a table shows: the first ones with short values. */
export function columnsOf(type: RecordType): readonly Field[] {
  const short = type.fields.filter((field) => !LONG.has(field.type));
  return (short.length === 0 ? type.fields : short).slice(0, MAX_COLUMNS);
}

/** Returns the title of a record: its first text, else its id. */
export function titleOf(type: RecordType, record: FlexRecord): string {
  const texts = columnsOf(type).map(({ name }) => record[name]);
  const found = texts.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof found === "string" ? found : record._id;
}

/** A value in a table; choices by their labels. */
export function shownValue(field: Field, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((one) => shownValue(field, one)).join(", ");
  if (typeof value === "boolean") return value ? "✓" : "–";
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  return field.options.find((option) => option.value === text)?.label ?? text;
}
