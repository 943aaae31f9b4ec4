/** Changes single keys of TOML front matter; every other byte stays. */
import { isDeepStrictEqual } from "node:util";
import { stringify } from "smol-toml";
import { readToml } from "#kernel/internal";
import type { FrontMatterRange } from "../read/front-matter/fences.js";
import { isMap } from "../read/front-matter/full-yaml.js";

const TABLE = /^\s*\[/;
/** Integers from here on have more than 15 digits. */
const LARGE = 1e15;

/**
 * Sets or deletes (null) keys before the first table. Tables, inline or not, are changed in the text of the
 * page: the patch is rejected.
 */
export function patchToml(
  bytes: Buffer,
  range: FrontMatterRange,
  patch: Readonly<Record<string, unknown>>,
): { bytes: Buffer } | { error: string } {
  const text = bytes.toString("utf8", range.start, range.end);
  const before = readToml(text);
  if ("issue" in before) {
    const { line, message } = before.issue;
    return { error: `the front matter cannot be read: line ${line + range.line}: ${message}` };
  }
  let next = text;
  for (const [key, value] of Object.entries(patch)) {
    if (isMap(value) || (Object.hasOwn(before.data, key) && isMap(before.data[key]))) {
      return {
        error: `${key} is a table in TOML front matter; change it in the text of the page`,
      };
    }
    if (Array.isArray(value) && hasNull(value)) {
      return { error: `key ${JSON.stringify(key)}: TOML has no null; edit the text of the page` };
    }
    next = withKey(next, key, value);
  }
  const after = readToml(next);
  const wanted = merged(before.data, patch);
  if ("issue" in after || !isDeepStrictEqual(after.data, wanted)) {
    const keys = Object.keys(patch).join(", ");
    return { error: `TOML front matter cannot be changed at ${keys}; edit the text of the page` };
  }
  return {
    bytes: Buffer.concat([
      bytes.subarray(0, range.start),
      Buffer.from(next),
      bytes.subarray(range.end),
    ]),
  };
}

function hasNull(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasNull);
  return isMap(value) ? Object.values(value).some(hasNull) : value === null;
}

function merged(
  data: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}

function withKey(text: string, key: string, value: unknown): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/(?<=\n)/);
  const found = statementOf(lines, key);
  if (value === null) {
    if (found !== null) lines.splice(found.at, found.count);
    return lines.join("");
  }
  const old = found === null ? "" : lines.slice(found.at, found.at + found.count).join("");
  const line = `${assignment(key, value, old)}${end}`;
  if (found !== null) {
    lines.splice(found.at, found.count, line);
    return lines.join("");
  }
  const table = lines.findIndex((each) => TABLE.test(each));
  let rest = table === -1 ? lines.length : table;
  while (rest > 0 && lines[rest - 1]?.trim() === "") rest -= 1;
  const last = lines[rest - 1];
  if (last !== undefined && !last.endsWith("\n")) lines[rest - 1] = last + end;
  lines.splice(rest, 0, line);
  return lines.join("");
}

/** The lines of the statement that sets a key before the first table; null without one. */
function statementOf(lines: readonly string[], key: string): { at: number; count: number } | null {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (TABLE.test(line)) return null;
    if (!line.includes("=")) continue;
    for (let count = 1; at + count <= lines.length; count += 1) {
      const read = readToml(lines.slice(at, at + count).join(""));
      if ("issue" in read) continue;
      if (Object.hasOwn(read.data, key)) return { at, count };
      at += count - 1;
      break;
    }
  }
  return null;
}

/** `key = value`, with the comment that the line had; a date without quotes stays without. */
function assignment(key: string, value: unknown, old: string): string {
  const [plain = ""] = stringify({ [key]: value }).split("\n", 1);
  // Digits alone would be read as a text.
  const isLong = typeof value === "number" && Number.isInteger(value) && Math.abs(value) >= LARGE;
  const quoted = isLong
    ? `${plain.slice(0, plain.indexOf("=") + 1)} ${value.toExponential()}`
    : plain;
  const isBare = typeof value === "string" && !/["']/.test(old.slice(old.indexOf("=")));
  const bare = isBare ? `${quoted.slice(0, quoted.indexOf("=") + 1)} ${value}` : quoted;
  const read = readToml(bare);
  const line = old !== "" && "data" in read && read.data[key] === value ? bare : quoted;
  return line + commentOf(old, key);
}

/** The comment at the end of a line, with the blanks before it. */
function commentOf(line: string, key: string): string {
  if (line.trimEnd().includes("\n")) return "";
  for (const { index } of line.matchAll(/[ \t]*#/g)) {
    const read = readToml(line.slice(0, index));
    if ("data" in read && Object.hasOwn(read.data, key)) return line.slice(index).trimEnd();
  }
  return "";
}
