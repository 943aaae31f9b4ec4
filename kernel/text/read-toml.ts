/** TOML as plain values. */
import { parse, TomlDate, TomlError } from "smol-toml";
import { isRecord } from "../is-record.js";

/** The table, or why it cannot be read; `line` counts from 1. */
export type TomlResult =
  { data: Record<string, unknown> } | { issue: { message: string; line: number } };

/** Reads a TOML document. Dates and times become texts, as written. */
export function readToml(text: string): TomlResult {
  try {
    return { data: plainMap(parse(text)) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ""] = error.message.split("\n", 1);
    return { issue: { message, line: error.line } };
  }
}

function plainMap(map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, plain(value)]));
}

function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  return isRecord(value) ? plainMap(value) : value;
}
