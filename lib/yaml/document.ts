/** YAML as read, in types of our own: other rooms do not depend on the version of the package `yaml`. */
import { isCollection, Scalar, visit } from "yaml";
import { yamlMistakes, type YamlMistake } from "./mistakes.js";
import { parseYaml } from "./parse.js";

/** A parsed YAML text. `editYaml` and `mergeYaml` change a text. */
export interface YamlDocument {
  /** Mistakes of syntax, in order. */
  readonly errors: readonly YamlMistake[];
  readonly warnings: readonly YamlMistake[];
  /** A node of the package `yaml`, for `isMap` and the like; null for an empty text. */
  readonly contents: unknown;
  /** The values. @throws for more than `maxAliasCount` aliases. */
  toJS(options?: { maxAliasCount?: number }): unknown;
}
/** Parser options; the rest follows YAML 1.2 and the schema of `plainValue`. */
export interface YamlReading {
  /** `silent`: documents after the first are allowed. */
  logLevel?: "silent" | "error" | "warn";
  /** Called for each line: one of the package `yaml` maps offsets to lines. */
  lineCounter?: {
    lineStarts: number[];
    addNewLine(offset: number): number;
    linePos(offset: number): { line: number; col: number };
  };
}

/**
 * Parses YAML within limits: at most 120 levels deep, aliases included, and 400,000 tokens long. Never
 * throws; problems are in the document's `errors`. The names of keys are the texts in the file.
 */
export function readYaml(text: string, reading: YamlReading = {}): YamlDocument {
  const document = parseYaml(text, reading);
  const { errors, warnings, contents } = document;
  return {
    errors: yamlMistakes(text, errors),
    warnings: yamlMistakes(text, warnings),
    contents,
    toJS: (options) => document.toJS(options),
  };
}

/**
 * The values of a document in which numbers and booleans are the texts in the file: `1.10`, not 1.1. For fields
 * of a text kind. `values`: those of `toJS`, returned when none differs; the document has the texts afterwards.
 */
export function textsOf(
  document: Pick<YamlDocument, "contents" | "toJS">,
  values: unknown,
): unknown {
  const { contents } = document;
  if (!isCollection(contents)) return values;
  let isOther = false;
  visit(contents, {
    Scalar: (key, node) => {
      const { type, value, source } = node;
      const isText = typeof value !== "number" && typeof value !== "boolean";
      if (key === "key" || isText || type !== Scalar.PLAIN || String(value) === source) return;
      node.value = source;
      isOther = true;
    },
  });
  return isOther ? document.toJS() : values;
}
