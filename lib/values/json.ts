import { isRecord } from "./value-checks.js";

/** The value of a JSON text; null for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Mappings merge key by key; everything else, null and lists too, replaces. Copies, never shares. */
export function mergeValues(below: unknown, above: unknown): unknown {
  if (!isRecord(above))
    return Array.isArray(above) ? above.map((item) => mergeValues(undefined, item)) : above;
  const merged = new Map<string, unknown>(isRecord(below) ? Object.entries(below) : []);
  for (const [key, value] of Object.entries(above))
    merged.set(key, mergeValues(merged.get(key), value));
  return Object.fromEntries(merged);
}
