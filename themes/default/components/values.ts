/** The maps of a list in front matter; empty for any other value. */
export function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}

/** The map in front matter; empty for any other value. */
export function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The text or number in front matter; empty for any other value. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
