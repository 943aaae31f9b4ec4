/** TOML as plain values. */
import { parse, TomlDate, TomlError } from "smol-toml";
import { isRecord } from "../is-record.js";

/** The table, or why it cannot be read; `line` counts from 1. */
export type TomlResult =
  | {
      data: Record<string, unknown>;
      /** The table with numbers as they stand in the file; null when none is written in another way. */
      texts: Record<string, unknown> | null;
    }
  | { issue: { message: string; line: number } };

/** Strings and comments, or a number in the place of a value. */
const TOKEN =
  /"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|(?=[\d+-])(?<=[=,[]\s*)(?<number>[+-]?\d[\w.+]*(?:[eE]-[\d_]+)?)(?=\s*(?:[,\]}#]|$|\n))/g;

/** Reads a TOML document. Dates and times become texts, as written. */
export function readToml(text: string): TomlResult {
  try {
    return { data: plainMap(parse(text)), texts: textsIn(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ""] = error.message.split("\n", 1);
    return { issue: { message, line: error.line } };
  }
}

/** The table of a valid text, numbers that are written in another way as texts; null without any. */
function textsIn(text: string): Record<string, unknown> | null {
  let isOther = false;
  const quoted = text.replace(TOKEN, (...match: unknown[]) => {
    const [token, groups] = [String(match[0]), match.at(-1)];
    const number = isRecord(groups) ? groups["number"] : undefined;
    if (typeof number !== "string" || String(Number(number)) === number) return token;
    isOther = true;
    return JSON.stringify(number);
  });
  if (!isOther) return null;
  try {
    return plainMap(parse(quoted));
  } catch {
    // A number that is the name of a table.
    return null;
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
