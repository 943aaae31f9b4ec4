/** Locates and parses front matter. */
import type { ContentErrorCode } from "../../errors.js";
import { parseYamlMap, type YamlIssue } from "./full-yaml.js";
import { readPlainYaml } from "./plain-yaml.js";

/** Byte offsets of the YAML between its fences, and of the body. */
export interface FrontMatterRange {
  start: number;
  end: number;
  bodyOffset: number;
}
/** A problem in a source file; lines count from 1 in the file. */
export interface SourceIssue {
  code: ContentErrorCode;
  message: string;
  line?: number;
  /** Key of the front matter. */
  key?: string;
}
/** The front matter of a file, or why it cannot be read. */
export type FrontMatter =
  | { data: Record<string, unknown>; bodyOffset: number; warnings: SourceIssue[] }
  | { issue: SourceIssue };

/** Room for 10,000 blocks; the parser limits tokens and depth beside it. */
const MAX_BYTES = 1024 * 1024;
const dash = 0x2d;
const newline = 0x0a;

/** Reads the front matter at the start of a file; `{}` without one. */
export function readFrontMatter(bytes: Buffer): FrontMatter {
  const range = findFrontMatter(bytes);
  if (range === null) return { data: {}, bodyOffset: bomLength(bytes), warnings: [] };
  if (range === "unclosed") {
    const message = "front matter is opened and never closed; add a line with three dashes";
    return { issue: { code: "ERR_CONTENT_FRONT_MATTER_UNCLOSED", message, line: 1 } };
  }
  if (range.end - range.start > MAX_BYTES) {
    const size = range.end - range.start;
    const message = `front matter has ${size} bytes, at most ${MAX_BYTES} are read; move long texts into the body, long lists into modules or records`;
    return { issue: { code: "ERR_CONTENT_FRONT_MATTER_SIZE", message, line: 1 } };
  }
  return parse(bytes.toString("utf8", range.start, range.end), range.bodyOffset);
}

function parse(text: string, bodyOffset: number): FrontMatter {
  const plain = readPlainYaml(text);
  if (plain !== undefined) return { data: plain, bodyOffset, warnings: [] };
  const result = parseYamlMap(text);
  if ("issue" in result) return { issue: toSourceIssue(result.issue, "ERR_CONTENT_FRONT_MATTER") };
  const warnings = result.warnings.map((issue) => toSourceIssue(issue, "ERR_CONTENT_FIELD"));
  return { data: result.data, bodyOffset, warnings };
}

/** The opening fence is line 1 of the file. */
function toSourceIssue(issue: YamlIssue, code: ContentErrorCode): SourceIssue {
  const line = issue.line === undefined ? {} : { line: issue.line + 1 };
  return { code, message: `front matter: ${issue.message}`, ...line };
}

/**
 * Finds the `---` fences: the first line and the next one. Null when the file does not start
 * with a fence: `---js` and the like are text.
 */
export function findFrontMatter(bytes: Buffer): FrontMatterRange | "unclosed" | null {
  const opening = bomLength(bytes);
  const start = fenceEnd(bytes, opening);
  if (start === null) return null;
  if (start === -1) return bytes.length > opening + 3 ? "unclosed" : null;
  for (let at = start; at < bytes.length;) {
    const after = fenceEnd(bytes, at);
    if (after !== null) {
      return { start, end: at, bodyOffset: after === -1 ? bytes.length : after };
    }
    const next = bytes.indexOf(newline, at);
    if (next === -1) break;
    at = next + 1;
  }
  return "unclosed";
}

/** Offset after a line that is only `---`, -1 when the file ends with it, null when it is no fence. */
function fenceEnd(bytes: Buffer, at: number): number | null {
  if (bytes[at] !== dash || bytes[at + 1] !== dash || bytes[at + 2] !== dash) return null;
  for (let i = at + 3; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === newline) return i + 1;
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return null;
  }
  return -1;
}

function bomLength(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
