/** Changes single keys of front matter and sidecars; every other byte stays. */
import { isDeepStrictEqual } from "node:util";
import { stringify } from "smol-toml";
import { isEqualValue, mergeYaml, YamlEditError } from "#lib/yaml";
import { readToml } from "#lib/toml";
import {
  almostFrontMatter,
  findFrontMatter,
  type FrontMatterRange,
} from "../read/front-matter/fences.js";
import { readFrontMatter } from "../read/front-matter/front-matter.js";
import { isMap, parseYamlMap } from "../read/front-matter/full-yaml.js";
import { formatOf, nameOf } from "../read/source-name.js";

/** The file's new bytes, or an error. */
export type PatchResult = { bytes: Buffer } | { error: string };

const forbidden = new Set(["__proto__", "constructor", "prototype"]);
const MAX_DEPTH = 20;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** A file to patch. */
interface PatchedFile {
  readonly path: string;
  readonly formats: ReadonlySet<string>;
  /** The values of the file as they are read, with the texts of fields of a text kind. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Merges the patch into the front matter of a text page, or into a sidecar. */
export function patchFile(
  { path, formats, values }: PatchedFile,
  bytes: Buffer,
  patch: Readonly<Record<string, unknown>>,
): PatchResult {
  if (path.endsWith(".meta.yaml")) {
    const result = parseYamlMap(bytes.toString("utf8"));
    return patchSidecar(bytes, "issue" in result ? patch : asWritten(patch, values, result.data));
  }
  const format = formatOf(nameOf(path));
  if (formats.has(format) && format !== "tsx") {
    const matter = readFrontMatter(bytes);
    const isRead = !("issue" in matter);
    return patchFrontMatter(bytes, isRead ? asWritten(patch, values, matter.data) : patch);
  }
  return { error: "only the front matter of pages that are no code, and sidecars, can be patched" };
}

/** Merges the patch (RFC 7396: null deletes, maps merge) into a file's front matter. */
export function patchFrontMatter(
  bytes: Buffer,
  patch: Readonly<Record<string, unknown>>,
): PatchResult {
  const issue = patchIssue(patch, 0);
  if (issue !== null) return { error: issue };
  const range = findFrontMatter(bytes);
  if (range !== null && "isUnclosed" in range) {
    return { error: `line ${range.line}: the front matter is opened and never closed` };
  }
  if (range === null && almostFrontMatter(bytes) !== null) {
    return { error: "the file begins like front matter, but no line of three dashes opens it" };
  }
  if (range?.syntax === "toml") return patchToml(bytes, range, patch);
  if (range === null) return withFrontMatter(bytes, patch);
  const text = bytes.toString("utf8", range.start, range.end);
  const fence = bytes.toString("utf8", 0, range.start);
  const lineBreak = fence.endsWith("\r\n") ? "\r\n" : "\n";
  const merged = mergedYaml(text, patch, {
    what: "front matter",
    lineBreak,
    firstLine: range.line + 1,
  });
  if ("error" in merged) return merged;
  const parts = [bytes.subarray(0, range.start), merged.bytes, bytes.subarray(range.end)];
  return { bytes: Buffer.concat(parts) };
}

/** Front matter before a body that has none; a byte order mark stays first. */
function withFrontMatter(bytes: Buffer, patch: Readonly<Record<string, unknown>>): PatchResult {
  const lineBreak = bytes.includes("\r\n") ? "\r\n" : "\n";
  const merged = mergedYaml("", patch, { what: "front matter", lineBreak, firstLine: 2 });
  if ("error" in merged) return merged;
  if (merged.bytes.length === 0) return { bytes };
  const mark = bytes.subarray(0, bytes.indexOf(BOM) === 0 ? BOM.length : 0);
  const fence = Buffer.from(`---${lineBreak}`);
  const body = bytes.subarray(mark.length);
  return { bytes: Buffer.concat([mark, fence, merged.bytes, fence, body]) };
}

/**
 * A patch in which texts that stay, such as `1.10`, are the numbers that the file has for them: these lines stay
 * as they are. `values`: as they are read; `written`: without texts of fields.
 */
function asWritten(
  patch: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
  written: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const next = writtenValue(patch, values, written);
  return isMap(next) ? next : patch;
}

function writtenValue(value: unknown, read: unknown, written: unknown): unknown {
  if (isEqualValue(read, written)) return value;
  if (isEqualValue(value, read)) return written;
  if (Array.isArray(value) && Array.isArray(read) && Array.isArray(written)) {
    const items: readonly unknown[] = read;
    return value.map((item: unknown) => {
      const at = items.findIndex((one) => isEqualValue(one, item));
      const actual: unknown = written[at];
      return at === -1 ? item : actual;
    });
  }
  if (!isMap(value) || !isMap(read) || !isMap(written)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const isKnown = Object.hasOwn(read, key) && Object.hasOwn(written, key);
    return [key, isKnown ? writtenValue(item, read[key], written[key]) : item];
  });
  return Object.fromEntries(entries);
}

/** Merges the patch into a sidecar, which is a YAML file. */
function patchSidecar(bytes: Buffer, patch: Readonly<Record<string, unknown>>): PatchResult {
  const issue = patchIssue(patch, 0);
  if (issue !== null) return { error: issue };
  return mergedYaml(bytes.toString("utf8"), patch, {
    what: "sidecar",
    lineBreak: "\n",
    firstLine: 1,
  });
}

/** YAML that is a part of a file. */
interface YamlPart {
  /** The name that messages use. */
  readonly what: string;
  readonly lineBreak: "\n" | "\r\n";
  /** Its line in the file, from 1. */
  readonly firstLine: number;
}

function mergedYaml(
  text: string,
  patch: Readonly<Record<string, unknown>>,
  { what, lineBreak, firstLine }: YamlPart,
): PatchResult {
  try {
    return { bytes: Buffer.from(mergeYaml(text, patch, { lineBreak })) };
  } catch (error) {
    if (!(error instanceof YamlEditError)) throw error;
    const { problem, key, line } = error;
    const about =
      key === "" ? `the ${what}` : `key ${JSON.stringify(key.slice(0, 80))} of the ${what}`;
    return { error: `line ${line + firstLine - 1}: ${about} ${problem}` };
  }
}

function patchIssue(value: unknown, depth: number): string | null {
  if (depth > MAX_DEPTH) return `the patch is nested more than ${MAX_DEPTH} levels deep`;
  if (Array.isArray(value)) return firstIssue(value.map((item) => patchIssue(item, depth + 1)));
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return null;
  if (!isMap(value)) return "the patch may hold texts, numbers, booleans, lists and maps only";
  const bad = Object.keys(value).find((key) => forbidden.has(key) || key === "");
  if (bad !== undefined) return `the patch may not have the key ${JSON.stringify(bad)}`;
  return firstIssue(Object.values(value).map((item) => patchIssue(item, depth + 1)));
}

function firstIssue(issues: readonly (string | null)[]): string | null {
  return issues.find((issue) => issue !== null) ?? null;
}

const TABLE = /^\s*\[/;
/** Integers from here on have more than 15 digits. */
const LARGE = 1e15;

/**
 * Sets or deletes (null) keys before the first table. Tables, inline or not, are changed in the text of the
 * page: the patch is rejected.
 */
function patchToml(
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
  const expected = merged(before.data, patch);
  if ("issue" in after || !isDeepStrictEqual(after.data, expected)) {
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
  const statement = findStatement(lines, key);
  if (value === null) {
    if (statement !== null) lines.splice(statement.at, statement.count);
    return lines.join("");
  }
  const old =
    statement === null ? "" : lines.slice(statement.at, statement.at + statement.count).join("");
  const line = `${assignment(key, value, old)}${end}`;
  if (statement !== null) {
    lines.splice(statement.at, statement.count, line);
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
function findStatement(
  lines: readonly string[],
  key: string,
): { at: number; count: number } | null {
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
  return line + findComment(old, key);
}

/** The comment at the end of a line, with the blanks before it. */
function findComment(line: string, key: string): string {
  if (line.trimEnd().includes("\n")) return "";
  for (const { index } of line.matchAll(/[ \t]*#/g)) {
    const read = readToml(line.slice(0, index));
    if ("data" in read && Object.hasOwn(read.data, key)) return line.slice(index).trimEnd();
  }
  return "";
}
