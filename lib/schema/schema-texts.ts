/** Numbers of a file in the place of texts: `title: 2025`, `version: 1.10`. */
import * as z from "zod";
import { isRecord } from "#lib/values";
import { childSchema, type Schema } from "./schema-tree.js";

/**
 * The values of a file in which a number is the text in the file where its schema takes a text and no number.
 * `texts`: the same values, with numbers as they are written. Booleans stay: in the place of a text they are
 * mistakes.
 */
export function schemaTexts(schema: Schema, data: unknown, texts: unknown): unknown {
  if (typeof data === "number") {
    const text = typeof texts === "string" ? texts : String(data);
    const isText = !z.safeParse(schema, data).success && z.safeParse(schema, text).success;
    return isText ? text : data;
  }
  if (Array.isArray(data)) {
    const written: readonly unknown[] = Array.isArray(texts) ? texts : [];
    return data.map((item: unknown, at) => {
      const child = childSchema(schema, at);
      return child === undefined ? item : schemaTexts(child, item, written[at]);
    });
  }
  if (!isRecord(data)) return data;
  const written = isRecord(texts) ? texts : {};
  const entries = Object.entries(data).map(([key, value]): [string, unknown] => {
    const child = childSchema(schema, key);
    const text = Object.hasOwn(written, key) ? written[key] : undefined;
    return [key, child === undefined ? value : schemaTexts(child, value, text)];
  });
  return Object.fromEntries(entries);
}

/** Like `schemaTexts`, for a map. */
export function schemaTextsOf(
  schema: Schema,
  data: Readonly<Record<string, unknown>>,
  texts: unknown,
): Record<string, unknown> {
  const values = schemaTexts(schema, data, texts);
  return isRecord(values) ? values : { ...data };
}
