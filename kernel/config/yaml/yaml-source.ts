import { LineCounter, type Document } from "yaml";
import { type KeyPath, isRecord } from "#lib/values";
import { offsetOf, parseYaml, textsOf, yamlMistakes } from "#lib/yaml";
import type { ConfigProblem } from "../problem.js";
import { readValues } from "./yaml-values.js";

/** Line and column from 1. */
export interface Position {
  line: number;
  column: number;
}
/** A configuration file as read: its values and their positions. */
export interface YamlSource {
  /** Relative to the site root. */
  readonly file: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The same values, with numbers and booleans as they are written. */
  readonly texts: unknown;
  readonly problems: readonly ConfigProblem[];
  /** Position of the key (or list item) at `path`; undefined when the file has none there. */
  position(path: KeyPath): Position | undefined;
}

/** The line of the key at `path`, or of the nearest one above that the file has; undefined without one. */
export function nearestLine(source: YamlSource | null, path: KeyPath): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const position = source?.position(path.slice(0, length));
    if (position !== undefined) return position.line;
  }
  return undefined;
}

/** Larger than any real configuration; a larger file is a mistake or an attack. */
const MAX_BYTES = 1024 * 1024;

const PARSE_OPTIONS = { resolveKnownTags: false } as const;

/** Parses `bytes` as a YAML mapping. Never throws: `problems` lists errors with their position. */
export function parseYamlSource(file: string, bytes: Uint8Array): YamlSource {
  const text = decode(bytes);
  if (text === null) {
    const fix = "save it as UTF-8 and keep data and content out of it";
    return brokenSource(file, {
      received: "other bytes",
      expected: "UTF-8 text of at most 1 MB",
      fix,
    });
  }
  const lineCounter = new LineCounter();
  try {
    const document = parseYaml(text, { ...PARSE_OPTIONS, lineCounter });
    return fromDocument({ file, text }, document, lineCounter);
  } catch (error) {
    const received = error instanceof Error ? error.message : String(error);
    return brokenSource(file, { received, expected: "valid YAML", fix: "simplify the file" });
  }
}

/** A source that could not be parsed at all. */
export function brokenSource(
  file: string,
  problem: Pick<ConfigProblem, "received" | "expected" | "fix">,
): YamlSource {
  const problems = [{ file, line: 1, column: 1, key: "", ...problem }];
  return { file, data: {}, texts: {}, problems, position: () => undefined };
}

type PositionAt = (offset: number) => Position;

function fromDocument(
  { file, text }: { file: string; text: string },
  document: Document.Parsed,
  lines: LineCounter,
): YamlSource {
  const at: PositionAt = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const mistakes = yamlMistakes(text, [...document.errors, ...document.warnings]);
  const syntax = mistakes.map((mistake): ConfigProblem => {
    const place = at(mistake.pos[0]);
    const received = text.split("\n")[place.line - 1]?.trim() ?? "";
    const expected = `valid YAML: ${mistake.message}`;
    return { file, ...place, key: "", received, expected, fix: mistake.fix };
  });
  if (syntax.length > 0) {
    return { file, data: {}, texts: {}, problems: syntax, position: () => undefined };
  }
  const { value, faults } = readValues(document);
  const problems = faults.map(({ offset, ...fault }) => ({ file, ...at(offset), ...fault }));
  if (value !== null && !isRecord(value)) {
    const received = Array.isArray(value) ? "a list" : value;
    problems.push({
      file,
      line: 1,
      column: 1,
      key: "",
      received,
      expected: "keys and values",
      fix: "write `key: value` lines",
    });
  }
  return {
    file,
    data: isRecord(value) ? value : {},
    // With a fault, aliases may have no end.
    texts: faults.length === 0 ? textsOf(document, value) : value,
    problems,
    position: (path) => {
      const offset = offsetOf(document, path);
      return offset === undefined ? undefined : at(offset);
    },
  };
}

function decode(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_BYTES) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
