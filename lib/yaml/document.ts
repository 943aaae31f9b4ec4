/** YAML as read, in types of our own: other rooms do not depend on the version of the package `yaml`. */
import { isCollection, Scalar, visit, isAlias, isDocument, isMap, isScalar, isSeq } from "yaml";
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

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The line of the key or list item at a path, or of the nearest one above that the text has; 1 without one. */
export function lineOf(
  text: string,
  document: Pick<YamlDocument, "contents">,
  path: readonly PropertyKey[],
): number {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = offsetOf(document, path.slice(0, length));
    if (offset !== undefined) return lineAt(text, offset);
  }
  return 1;
}

/**
 * The offset of the key or list item at a path; undefined when the text has none there. The path ends at an alias,
 * except in a document of the package `yaml`.
 */
export function offsetOf(
  document: Pick<YamlDocument, "contents">,
  path: readonly PropertyKey[],
): number | undefined {
  let node = document.contents;
  let offset = 0;
  for (const part of path) {
    if (isAlias(node) && isDocument(document)) node = node.resolve(document);
    const step = child(node, part);
    if (step === undefined) return undefined;
    offset = step.offset ?? offset;
    node = step.node;
  }
  return offset;
}

function child(
  node: unknown,
  part: PropertyKey,
): { node: unknown; offset: number | undefined } | undefined {
  if (isSeq(node) && typeof part === "number") {
    const item = node.items[part];
    return item === undefined ? undefined : { node: item, offset: rangeStart(item) };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  return pair && { node: pair.value, offset: rangeStart(pair.key) };
}

function rangeStart(node: unknown): number | undefined {
  if (isScalar(node) || isAlias(node) || isMap(node) || isSeq(node)) return node.range?.[0];
  return undefined;
}
