/** The facts of one source file, independent of its place. Snapshots store them. */
import { isUtf8 } from "node:buffer";
import { hash as digestOf } from "node:crypto";
import type { Field } from "#kernel";
import { fieldTexts } from "#lib/fields";
import { isEqualValue } from "#lib/yaml";
import {
  readFrontMatter,
  type FrontMatter,
  type SourceIssue,
  readLiteralFrontMatter,
} from "./front-matter/front-matter.js";
import { pageTexts } from "./front-matter/text-keys.js";

/** The facts of one source file. */
export interface SourceRecord {
  readonly sourcePath: string;
  readonly mtimeMs: number;
  /** Bytes. */
  readonly size: number;
  readonly hash: string;
  readonly bodyOffset: number;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Keys with numbers or booleans that are written in another way, as they stand in the file; null without any. */
  readonly texts: Readonly<Record<string, unknown>> | null;
  /** The first heading of the body; read only where the front matter has no title. */
  readonly heading: string | null;
  /** Why the file is not a page; null for a page. */
  readonly error: SourceIssue | null;
  readonly warnings: readonly SourceIssue[];
}
/** Path, size and time of a file. */
export interface SourceStat {
  sourcePath: string;
  mtimeMs: number;
  /** Bytes. */
  size: number;
}

/** Pages above this many bytes are reported instead of read. */
export const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const HEADING_SEARCH_BYTES = 64 * 1024;
// Longer headings are cut: removing unclosed marks takes quadratic time.
const MAX_HEADING_LENGTH = 1_000;

/** Reads the facts of a file from its bytes. */
export function toSourceRecord(stat: SourceStat, bytes: Buffer): SourceRecord {
  const hash = digest(bytes);
  if (!isUtf8(bytes) || bytes.includes(0)) {
    const message = "the file is not UTF-8 text; save it as UTF-8 without NUL bytes";
    return toErrorRecord(stat, { code: "ERR_CONTENT_ENCODING", message }, hash);
  }
  const matter = readMatter(stat.sourcePath, bytes);
  if ("issue" in matter) return toErrorRecord(stat, matter.issue, hash);
  const { bodyOffset, warnings } = matter;
  const data = pageTexts(matter.data, matter.texts);
  const hasTitle = data.title !== undefined && data.title !== null && data.title !== "";
  const heading = hasTitle ? null : findHeading(bytes, bodyOffset);
  const { sourcePath, mtimeMs, size } = stat;
  return {
    sourcePath,
    mtimeMs,
    size,
    hash,
    bodyOffset,
    frontmatter: data,
    texts: otherTexts(data, matter.texts),
    heading,
    error: null,
    warnings,
  };
}

/** The facts of a text that is not read from the disk, such as one that is about to be written. */
export function recordOfBytes(sourcePath: string, bytes: Buffer): SourceRecord {
  return toSourceRecord({ sourcePath, mtimeMs: 0, size: bytes.length }, bytes);
}

/** The texts of the keys whose value is another one. */
function otherTexts(
  data: SourceRecord["frontmatter"],
  texts: SourceRecord["texts"],
): SourceRecord["texts"] {
  const others = Object.entries(texts ?? {}).filter(
    ([key, text]) => !isEqualValue(text, data[key]),
  );
  return others.length === 0 ? null : Object.fromEntries(others);
}

/** The values of a page, in which fields of a text kind are the texts in the file. */
export function readValues(
  { frontmatter, texts }: Pick<SourceRecord, "frontmatter" | "texts">,
  fields: readonly Field[],
): SourceRecord["frontmatter"] {
  return fieldTexts(fields, frontmatter, texts);
}

function readMatter(sourcePath: string, bytes: Buffer): FrontMatter {
  if (sourcePath.endsWith(".tsx")) return readLiteralFrontMatter(bytes.toString("utf8"));
  return readFrontMatter(bytes);
}

/** The record of a file that is not a page. */
export function toErrorRecord(stat: SourceStat, error: SourceIssue, hash = ""): SourceRecord {
  return {
    ...stat,
    hash,
    bodyOffset: 0,
    frontmatter: {},
    texts: null,
    heading: null,
    error,
    warnings: [],
  };
}

/** The record of a page above the size limit. */
export function toOversizeRecord(stat: SourceStat): SourceRecord {
  const message = `the page has ${stat.size} bytes, at most ${MAX_PAGE_BYTES} are read`;
  return toErrorRecord(stat, { code: "ERR_CONTENT_SIZE", message });
}

/** The digest that identifies a version of a file. */
export function digest(bytes: Buffer | string): string {
  return digestOf("sha1", bytes, "hex");
}

/** The text of the first ATX heading outside fenced code, without its inline marks. */
function findHeading(bytes: Buffer, from: number): string | null {
  const text = bytes.toString("utf8", from, Math.min(bytes.length, from + HEADING_SEARCH_BYTES));
  let fence = "";
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === "" || mark.startsWith(fence)) fence = fence === "" ? mark : "";
    } else if (fence === "") {
      const heading = plainHeading(line);
      if (heading !== "") return heading;
    }
  }
  return null;
}

function plainHeading(line: string): string {
  const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line)?.[1];
  return heading === undefined ? "" : withoutMarks(heading.slice(0, MAX_HEADING_LENGTH));
}

function withoutMarks(heading: string): string {
  return heading
    .replace(/\s*\{#[\w-]+\}\s*$/, "")
    .trim()
    .replace(/(?:^|[ \t]+)#+$/, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]*>/g, "")
    .replace(/(\*\*|__|`+|~~)/g, "")
    .replace(/(^|[^\w*])[*_]([^*_]+)[*_](?!\w)/g, "$1$2")
    .trim();
}
