import { formatNumber } from "#theme";
import type { FlexFieldView, FlexSchemaView } from "#theme";

interface FlexValueProps {
  value: unknown;
  field: FlexFieldView;
  lang: string;
}

/** A value of a record, formatted by the type of its field. */
export function FlexValue({ value, field, lang }: FlexValueProps) {
  if (value === null || value === undefined || value === "") return <span class="dim">–</span>;
  if (typeof value === "boolean") return <>{value ? "✓" : "✗"}</>;
  if (Array.isArray(value)) return <>{value.map(String).join(", ")}</>;
  if (typeof value === "number") return <>{formatNumber(value, lang)}</>;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (field.type === "date") return <time dateTime={text}>{text}</time>;
  return <>{labelOf(field, text)}</>;
}

/** The label of a select option; other values unchanged. */
function labelOf({ options = [] }: FlexFieldView, text: string): string {
  return options.find(({ value }) => value === text)?.label ?? text;
}

/** The title of a record: its name or title, its first text, or its id. */
export function recordName(
  schema: FlexSchemaView,
  record: Readonly<Record<string, unknown>>,
): string {
  const first = schema.fields.find((field) => field.type === "text")?.name ?? "";
  const names = ["name", "title", first].map((field) => record[field]);
  const named = names.find((value) => typeof value === "string" && value !== "");
  return String(named ?? record["_id"] ?? "");
}
