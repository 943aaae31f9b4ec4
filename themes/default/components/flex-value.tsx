interface FlexValueProps {
  value: unknown;
  /** Type of the field in its schema. */
  type: string;
  lang: string;
}

/** A value of a record, as its field's type shows it. */
export function FlexValue({ value, type, lang }: FlexValueProps) {
  if (value === null || value === undefined || value === "") return <span class="dim">–</span>;
  if (typeof value === "boolean") return <>{value ? "✓" : "✗"}</>;
  if (Array.isArray(value)) return <>{value.map(String).join(", ")}</>;
  if (typeof value === "number") return <>{new Intl.NumberFormat(lang).format(value)}</>;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (type === "date") return <time dateTime={text}>{text}</time>;
  return <>{text}</>;
}

/** What names a record: its title or name, else the first text, else its id. */
export function recordName(record: Readonly<Record<string, unknown>>): string {
  const { title, name, label, _id } = record;
  const named = [title, name, label].find((value) => typeof value === "string" && value !== "");
  const first = Object.entries(record).find(
    ([key, value]) => !key.startsWith("_") && typeof value === "string" && value !== "",
  );
  return String(named ?? first?.[1] ?? _id ?? "");
}
