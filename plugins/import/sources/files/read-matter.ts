/** Front matter of other systems: YAML between `---`, TOML between `+++`, or JSON. */
import { isRecord } from "#kernel";
import { readToml, writtenNumbers } from "#kernel/internal";
import { readYaml, textsOf, type YamlDocument } from "#lib/yaml";
import { parseJsonTexts } from "../read-json.js";

const MAX_LENGTH = 1_048_576;
const YAML = /^---[ \t]*\r?\n([^]*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const TOML = /^\+\+\+[ \t]*\r?\n([^]*?)\n\+\+\+[ \t]*(?:\r?\n|$)/;
const JSON_MATTER = /^(\{\r?\n[^]*?\n\})[ \t]*(?:\r?\n|$)/;

/** Front matter and text, or why they cannot be read; `line` counts from 1 in the file. */
export type Matter =
  | { readonly data: Readonly<Record<string, unknown>>; readonly body: string }
  | { readonly issue: string; readonly line: number };

/** Splits a file. Texts without front matter have empty data. */
export function readMatter(source: string): Matter {
  const text = source.replace(/^\uFEFF/, "");
  for (const [pattern, parse] of FORMATS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [whole, matter = ""] = match;
    if (matter.length > MAX_LENGTH)
      return { issue: "the front matter is longer than 1 MB", line: 1 };
    const parsed = parse(matter);
    return "issue" in parsed ? parsed : { data: parsed.data, body: text.slice(whole.length) };
  }
  return { data: {}, body: text };
}

/** The map of a YAML text. */
export function parseYamlMap(
  text: string,
): { data: Record<string, unknown> } | { issue: string; line: number } {
  const document = readYaml(text);
  const [error] = document.errors;
  if (error !== undefined) {
    return {
      issue: `invalid YAML: ${error.message}; ${error.fix}`,
      line: text.slice(0, error.pos[0]).split("\n").length + 1,
    };
  }
  try {
    return { data: toMap(yamlValues(document)) };
  } catch {
    return { issue: "invalid YAML: too many aliases", line: 1 };
  }
}

/**
 * The values of a document; a number that is written in another way than JavaScript writes it is a text: `1.10`,
 * `0x1F`. @throws for too many aliases.
 */
export function yamlValues(document: YamlDocument): unknown {
  const values = document.toJS({ maxAliasCount: 100 });
  return writtenNumbers(values, textsOf(document, values));
}

function toMap(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The map of a TOML text; a number that is written in another way than JavaScript writes it is a text. */
export function parseTomlMap(
  text: string,
): { data: Record<string, unknown> } | { issue: string; line: number } {
  const result = readToml(text);
  if ("data" in result) return { data: toMap(writtenNumbers(result.data, result.texts)) };
  return { issue: `invalid TOML: ${result.issue.message}`, line: result.issue.line + 1 };
}

/** The map of a JSON text, with the texts of such numbers. */
export function parseJsonMap(
  text: string,
): { data: Record<string, unknown> } | { issue: string; line: number } {
  try {
    return { data: toMap(parseJsonTexts(text)) };
  } catch {
    return { issue: "invalid JSON", line: 1 };
  }
}

const FORMATS = [
  [YAML, parseYamlMap],
  [TOML, parseTomlMap],
  [JSON_MATTER, parseJsonMap],
] as const;
