import { call } from "../../api/request.js";
import type { Field, FlexRecord, RecordType } from "../../api/answers.js";
import { texts } from "../../app/texts.js";
import de from "../../locales/de/records.json";
import en from "../../locales/en/records.json";

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
export function selectColumns(type: RecordType): readonly Field[] {
  const short = type.fields.filter((field) => !LONG.has(field.type));
  return (short.length === 0 ? type.fields : short).slice(0, MAX_COLUMNS);
}

/** Returns the title of a record: its first text, else its id. */
export function readTitle(type: RecordType, record: FlexRecord): string {
  const texts = selectColumns(type).map(({ name }) => record[name]);
  const title = texts.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof title === "string" ? title : record._id;
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

/** A type of records by its name; null when it does not exist. */
export async function recordType(name: string): Promise<RecordType | null> {
  const { items } = await call("GET /flex");
  return items.find((type) => type.name === name) ?? null;
}

const MAX_LIST = 500;

/** Every record of a type. */
export async function allRecords(type: string): Promise<readonly FlexRecord[]> {
  const records: FlexRecord[] = [];
  for (;;) {
    const query = { limit: MAX_LIST, offset: records.length };
    const { items, total } = await call("GET /flex/:type", { params: { type }, query });
    records.push(...items);
    if (items.length === 0 || records.length >= total) return records;
  }
}

/** Texts of the screens for records. */
export const t = texts({ en, de });
