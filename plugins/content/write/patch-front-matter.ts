/** Changes single keys of front matter; preserves comments, order and the body. */
import { isMap as isYamlMap } from "yaml";
import type { YamlDocument } from "#kernel/internal";
import { almostFrontMatter, findFrontMatter } from "../read/front-matter/fences.js";
import { formatOf, nameOf } from "../read/source-name.js";
import { patchToml } from "./patch-toml.js";
import { isMap, parseYamlDocument } from "../read/front-matter/full-yaml.js";

/** The file's new bytes, or an error. */
export type PatchResult = { bytes: Buffer } | { error: string };

const forbidden = new Set(["__proto__", "constructor", "prototype"]);
const MAX_DEPTH = 20;

/** Merges the patch into the front matter of a text page, or into a sidecar. */
export function patchFile(
  { path, formats }: { path: string; formats: ReadonlySet<string> },
  bytes: Buffer,
  patch: Readonly<Record<string, unknown>>,
): PatchResult {
  if (path.endsWith(".meta.yaml")) return patchSidecar(bytes, patch);
  const format = formatOf(nameOf(path));
  if (formats.has(format) && format !== "tsx") return patchFrontMatter(bytes, patch);
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
  if (range === "unclosed") return { error: "the front matter is opened and never closed" };
  if (range === null && almostFrontMatter(bytes) !== null) {
    return { error: "the file begins like front matter, but no line of three dashes opens it" };
  }
  if (range?.syntax === "toml") return patchToml(bytes, range, patch);
  const text = range === null ? "" : bytes.toString("utf8", range.start, range.end);
  const merged = mergedYaml(text, patch, "front matter");
  if ("error" in merged) return merged;
  return { bytes: withFrontMatter(bytes, range, merged.text) };
}

/** Merges the patch into a sidecar, which is a YAML file. */
function patchSidecar(bytes: Buffer, patch: Readonly<Record<string, unknown>>): PatchResult {
  const issue = patchIssue(patch, 0);
  if (issue !== null) return { error: issue };
  const merged = mergedYaml(bytes.toString("utf8"), patch, "sidecar");
  return "error" in merged ? merged : { bytes: Buffer.from(merged.text) };
}

function mergedYaml(
  text: string,
  patch: Readonly<Record<string, unknown>>,
  what: string,
): { text: string } | { error: string } {
  const document = parseYamlDocument(text);
  const broken = document.errors[0];
  if (broken !== undefined) return { error: `the ${what} cannot be read: ${broken.message}` };
  if (document.contents !== null && !isYamlMap(document.contents)) {
    return { error: `the ${what} is not a map of keys and values` };
  }
  merge(document, [], patch);
  return { text: toText(document, text) };
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

function merge(
  document: YamlDocument,
  path: readonly string[],
  patch: Readonly<Record<string, unknown>>,
): void {
  for (const [key, value] of Object.entries(patch)) {
    const at = [...path, key];
    if (value === null) {
      if (document.hasIn(at)) document.deleteIn(at);
    } else if (isMap(value) && isYamlMap(document.getIn(at))) merge(document, at, value);
    else document.setIn(at, isMap(value) ? withoutNulls(value) : value);
  }
}

/** RFC 7396: nulls in a new map are dropped. */
function withoutNulls(map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(map).filter(([, value]) => value !== null);
  return Object.fromEntries(
    kept.map(([key, value]) => [key, isMap(value) ? withoutNulls(value) : value]),
  );
}

function toText(document: YamlDocument, before: string): string {
  const isEmpty = isYamlMap(document.contents) && document.contents.items.length === 0;
  const text =
    isEmpty && document.commentBefore === null ? "" : document.toString({ lineWidth: 0 });
  return before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}

function withFrontMatter(
  bytes: Buffer,
  range: { start: number; end: number } | null,
  text: string,
): Buffer {
  const yaml = Buffer.from(text.endsWith("\n") || text === "" ? text : `${text}\n`);
  if (range !== null)
    return Buffer.concat([bytes.subarray(0, range.start), yaml, bytes.subarray(range.end)]);
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = hasBom ? bytes.subarray(3) : bytes;
  return Buffer.concat([Buffer.from("---\n"), yaml, Buffer.from("---\n"), body]);
}
