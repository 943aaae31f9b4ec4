/** Locates and parses front matter; that of a `tsx` page is an object literal, read without running the file. */
import { readToml } from "#lib/toml";
import type { ContentErrorCode } from "../../errors.js";
import {
  almostFrontMatter,
  secondFrontMatter,
  bomLength,
  findFrontMatter,
  type FrontMatterRange,
} from "./fences.js";
import {
  firstColumn,
  parseYamlMap,
  toCleanMap,
  type YamlIssue,
  type YamlResult,
} from "./full-yaml.js";
import { readPlainYaml } from "./plain-yaml.js";

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
  | {
      data: Record<string, unknown>;
      /** The map with numbers and booleans as they stand in the file; null when none is written in another way. */
      texts: Record<string, unknown> | null;
      bodyOffset: number;
      warnings: SourceIssue[];
    }
  | { issue: SourceIssue };

/** Room for 10,000 blocks; the parser limits tokens and depth beside it. */
const MAX_BYTES = 1024 * 1024;

/** Reads the front matter at the start of a file; `{}` without one. */
export function readFrontMatter(bytes: Buffer): FrontMatter {
  const range = findFrontMatter(bytes);
  if (range === null) return withoutFrontMatter(bytes);
  if ("isUnclosed" in range) {
    const message =
      "front matter is opened and never closed; add a line with the same three characters (--- or +++)";
    return { issue: { code: "ERR_CONTENT_FRONT_MATTER_UNCLOSED", message, line: range.line } };
  }
  if (range.end - range.start > MAX_BYTES) {
    const size = range.end - range.start;
    const message = `front matter has ${size} bytes, at most ${MAX_BYTES} are read; move long texts into the body, long lists into modules or records`;
    return { issue: { code: "ERR_CONTENT_FRONT_MATTER_SIZE", message, line: range.line } };
  }
  const second = secondFrontMatter(bytes, range.bodyOffset);
  if (second !== null) {
    const message = `a second block of front matter begins in line ${second.line}; put its fields into the first one`;
    return { issue: { code: "ERR_CONTENT_FRONT_MATTER_FENCE", message, line: second.line } };
  }
  return parse(bytes.toString("utf8", range.start, range.end), range);
}

/** The column of the first error in front matter of YAML, from 1; null where none is known. */
export function frontMatterColumn(bytes: Buffer): number | null {
  const range = findFrontMatter(bytes);
  if (range === null || "isUnclosed" in range || range.syntax !== "yaml") return null;
  if (range.end - range.start > MAX_BYTES) return null;
  return firstColumn(bytes.toString("utf8", range.start, range.end));
}

function withoutFrontMatter(bytes: Buffer): FrontMatter {
  const almost = almostFrontMatter(bytes);
  if (almost === null) return { data: {}, texts: null, bodyOffset: bomLength(bytes), warnings: [] };
  const shown = JSON.stringify(almost.text.slice(0, 80));
  const message = `the file has fields like front matter at ${shown}, and no fence opens them in its first line; write a line of three dashes (---) before and after the fields`;
  return { issue: { code: "ERR_CONTENT_FRONT_MATTER_FENCE", message, line: almost.line } };
}

function parse(text: string, { bodyOffset, syntax, line }: FrontMatterRange): FrontMatter {
  const early: SourceIssue[] = line === 1 ? [] : [placeWarning(line)];
  const plain = syntax === "yaml" ? readPlainYaml(text) : undefined;
  if (plain !== undefined) return { ...plain, bodyOffset, warnings: early };
  const result = syntax === "yaml" ? parseYamlMap(text) : parseTomlMap(text);
  const located = (issue: YamlIssue, code: ContentErrorCode): SourceIssue => ({
    code,
    message: `front matter: ${issue.message}`,
    ...(issue.line !== undefined && { line: issue.line + line }),
  });
  if ("issue" in result) return { issue: located(result.issue, "ERR_CONTENT_FRONT_MATTER") };
  const warnings = result.warnings.map((issue) => located(issue, "ERR_CONTENT_FIELD"));
  const { data, texts } = result;
  return { data, texts, bodyOffset, warnings: [...early, ...warnings] };
}

function placeWarning(line: number): SourceIssue {
  const message = `the front matter begins in line ${line}, after blank lines or comments; it is read, move it to the first line for other programs`;
  return { code: "ERR_CONTENT_FRONT_MATTER_PLACE", message, line };
}

function parseTomlMap(text: string): YamlResult {
  const result = readToml(text);
  if ("issue" in result) return result;
  try {
    return toCleanMap(result.data, result.texts ?? result.data);
  } catch (error) {
    // Too many values, or nested too deeply.
    return { issue: { message: error instanceof Error ? error.message : String(error) } };
  }
}

const OPENING = /^export\s+const\s+frontmatter\b[^={]*=\s*\{/m;
const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`$\\]*`|[{}[\]]/g;

/** The literal's value, numbers as JavaScript has them; `{}` when the file does not export it, an issue when it is not a plain literal. */
export function readLiteralFrontMatter(source: string): FrontMatter {
  const match = OPENING.exec(source);
  if (match === null) return { data: {}, texts: null, bodyOffset: 0, warnings: [] };
  const start = match.index + match[0].length - 1;
  const line = source.slice(0, start).split("\n").length;
  const literal = toFlowMap(source, start);
  const result = literal === null ? null : parseYamlMap(literal);
  if (result !== null && "data" in result)
    return { data: result.data, texts: null, bodyOffset: 0, warnings: [] };
  const message =
    "`export const frontmatter` must be an object literal of texts, numbers, booleans, lists and objects";
  return { issue: { code: "ERR_CONTENT_FRONT_MATTER", message, line } };
}

/** The literal as a YAML flow map: without comments, strings as JSON. Null when it is not closed. */
function toFlowMap(source: string, start: number): string | null {
  const literal = source.slice(start);
  let text = "";
  let depth = 0;
  let last = 0;
  for (const match of literal.matchAll(token)) {
    // YAML reads `a:"b"` as one word.
    text += literal.slice(last, match.index).replaceAll(":", ": ") + toFlowToken(match[0]);
    last = match.index + match[0].length;
    if (match[0] === "{" || match[0] === "[") depth += 1;
    if (match[0] === "}" || match[0] === "]") depth -= 1;
    if (depth === 0) return text;
  }
  return null;
}

function toFlowToken(token: string): string {
  const first = token.charAt(0);
  if (first === "/") return " ";
  if (first === "`") return JSON.stringify(token.slice(1, -1));
  if (first === "'") {
    const inner = token
      .slice(1, -1)
      .replaceAll("\\'", "'")
      .replace(/(^|[^\\])"/g, '$1\\"');
    return `"${inner}"`;
  }
  return token;
}
