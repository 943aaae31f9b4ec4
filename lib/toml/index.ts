/** TOML as data, with the numbers as they are written. Runs in Node.js and in browsers. */
import { parse, TomlDate, TomlError } from "smol-toml";
import { plainNumber } from "#lib/yaml";
import { isRecord } from "#lib/values";

/** The table, or why it cannot be read; `line` counts from 1. */
type TomlResult =
  | {
      data: Record<string, unknown>;
      /** The table with numbers as they stand in the file; null when none is written in another way. */
      texts: Record<string, unknown> | null;
    }
  | { issue: { message: string; line: number } };

/** Strings and comments, or a number in the place of a value. */
const TOKEN =
  /"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|(?=[\din+-])(?<=[=,[]\s*)(?<number>[+-]?(?:\d[\w.+]*(?:[eE]-[\d_]+)?|inf|nan))(?=\s*(?:[,\]}#]|$|\n))/g;
/** Numbers of TOML; leading zeros are an error. */
const NUMBER =
  /^(?:[+-]?(?:inf|nan|(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?)|0(?:x[\da-fA-F](?:_?[\da-fA-F])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*))$/;

/**
 * Reads a TOML document. Dates and times become texts, as written, and so do numbers that would lose characters,
 * as in YAML: more than 15 digits, overflow, `inf` and `nan`.
 */
export function readToml(text: string): TomlResult {
  try {
    return {
      data: parseTable(withQuoted(text, losesCharacters) ?? text),
      texts: readNumbersAsTexts(text),
    };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ""] = error.message.split("\n", 1);
    return { issue: { message, line: error.line } };
  }
}

function losesCharacters(number: string): boolean {
  if (!NUMBER.test(number)) return false;
  const digits = number.replaceAll("_", "");
  if (digits.startsWith("0b")) return !Number.isSafeInteger(Number(digits));
  return plainNumber(digits) === null;
}

/** The table of a valid text, numbers that are written in another way as texts; null without any. */
function readNumbersAsTexts(text: string): Record<string, unknown> | null {
  const quoted = withQuoted(text, (number) => String(Number(number)) !== number);
  if (quoted === null) return null;
  try {
    return parseTable(quoted);
  } catch {
    // A number that is the name of a table.
    return null;
  }
}

/** The text with quotes around some numbers; null when there is no such number. */
function withQuoted(text: string, isQuoted: (number: string) => boolean): string | null {
  let isOther = false;
  const quoted = text.replace(TOKEN, (...match: unknown[]) => {
    const [token, groups] = [String(match[0]), match.at(-1)];
    const number = isRecord(groups) ? groups["number"] : undefined;
    if (typeof number !== "string" || !isQuoted(number)) return token;
    isOther = true;
    return JSON.stringify(number);
  });
  return isOther ? quoted : null;
}

/** @throws TomlError */
function parseTable(text: string): Record<string, unknown> {
  return plainMap(parse(text, { integersAsBigInt: "asNeeded" }));
}

function plainMap(map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, plain(value)]));
}

function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  // A long number after a comment in a list.
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(plain);
  return isRecord(value) ? plainMap(value) : value;
}
