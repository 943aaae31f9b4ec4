/** YAML as read: values, the first mistake, and where keys stand, without a type of the package `yaml`. */
import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Scalar,
  visit,
  type Alias,
  type Document,
} from "yaml";
import { yamlFaults, type YamlFault } from "./mistakes.js";
import { MAX_ALIASES, parseYaml } from "./parse.js";

/** Line and column from 1; a column counts UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}
/** A mistake in a YAML text. */
export interface YamlMistake extends Position {
  /** What is wrong, without its position. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}
/** What a reader of YAML accepts; the rest follows YAML 1.2 and the schema of `plainValue`. */
export interface YamlReading {
  /** True: documents after the first are allowed, and left out. */
  readonly allowsMore?: boolean;
  /** True: a tag that is not read is a mistake. Default: its value is read without the tag. */
  readonly rejectsTags?: boolean;
}
/** A YAML text as read. `editYaml` and `mergeYaml` change a text. */
export interface YamlDocument {
  /** The first mistake: of syntax, else a tag that is rejected, else an alias; null without one. */
  readonly mistake: YamlMistake | null;
  /** The values, as far as they can be read; null for an empty text and for a mistake of an alias. */
  readonly values: unknown;
  /** The same, with numbers and booleans as the texts in the file: `1.10`, not 1.1. For fields of a text kind. */
  readonly texts: unknown;
  /**
   * The line of the key or list item at a path, or of the nearest one above; for an empty path, and where the text
   * has none of its keys, the line where the values begin.
   */
  lineOf(path: readonly PropertyKey[]): number;
}

/**
 * Reads YAML within limits: at most 120 levels deep, aliases included, 400,000 tokens, 100 aliases. Never throws.
 * The names of keys are the texts in the file.
 */
export function readYaml(text: string, reading: YamlReading = {}): YamlDocument {
  return new ReadText(text, reading);
}

class ReadText implements YamlDocument {
  readonly mistake: YamlMistake | null;
  readonly values: unknown;
  readonly #document: Document.Parsed;
  readonly #lines: Lines;
  #texts: { readonly value: unknown } | null = null;

  constructor(text: string, { allowsMore = false, rejectsTags = false }: YamlReading) {
    const document = parseYaml(text, { allowsMore });
    this.#document = document;
    this.#lines = new Lines(text);
    const read = readValues(document);
    this.values = read.values;
    const [fault = read.fault] = [
      ...yamlFaults(text, document.errors),
      ...(rejectsTags ? yamlFaults(text, document.warnings) : []),
    ];
    this.mistake = fault && {
      message: fault.message,
      fix: fault.fix,
      ...this.#lines.at(fault.pos[0]),
    };
  }

  get texts(): unknown {
    this.#texts ??= { value: textsOf(this.#document, this.values) };
    return this.#texts.value;
  }

  lineOf(path: readonly PropertyKey[]): number {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = offsetOf(this.#document, path.slice(0, length));
      if (offset !== undefined) return this.#lines.at(offset).line;
    }
    return this.#lines.at(rangeStart(this.#document.contents) ?? 0).line;
  }
}

/** The values of a document; null and a fault when an alias has no value. */
export function readValues(document: Document.Parsed): {
  values: unknown;
  fault: YamlFault | null;
} {
  try {
    const values: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (!containsItself(values, { open: new Set(), closed: new Set() })) {
      return { values, fault: null };
    }
  } catch {
    // The package throws for aliases without an anchor, and for too many.
  }
  return { values: null, fault: aliasFault(document) };
}

interface Containers {
  /** Those around a value. */
  readonly open: Set<unknown>;
  /** Those known not to contain themselves. */
  readonly closed: Set<unknown>;
}

function containsItself(value: unknown, containers: Containers): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { open, closed } = containers;
  if (open.has(value)) return true;
  if (closed.has(value)) return false;
  open.add(value);
  const isEndless = Object.values(value).some((inner) => containsItself(inner, containers));
  open.delete(value);
  closed.add(value);
  return isEndless;
}

function aliasFault(document: Document.Parsed): YamlFault {
  const aliases: Alias[] = [];
  visit(document, {
    Alias: (_, alias) => {
      aliases.push(alias);
      return aliases.length > MAX_ALIASES ? visit.BREAK : undefined;
    },
  });
  const lost = aliases.find((alias) => alias.resolve(document) === undefined);
  const at = rangeStart(lost ?? aliases[0]) ?? 0;
  return {
    message:
      lost === undefined
        ? "the aliases repeat too many values, or a value that contains itself"
        : `the alias ${JSON.stringify(`*${lost.source}`)} has no anchor above it`,
    fix:
      lost === undefined
        ? "write the repeated values out"
        : `define &${lost.source} above, or write the value out`,
    pos: [at, at + 1],
  };
}

/**
 * The values of a document in which numbers and booleans are the texts in the file. `values`: those of `toJS`,
 * returned when none differs; the document has the texts afterwards.
 */
export function textsOf(document: Document.Parsed, values: unknown): unknown {
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

/** Finds the lines of offsets in a text. */
export class Lines {
  readonly #text: string;
  #starts: number[] | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** The position of an offset. */
  at(offset: number): Position {
    this.#starts ??= startsOf(this.#text);
    const starts = this.#starts;
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The offset of the key or list item at a path; undefined when the text has none there. */
export function offsetOf(
  document: Document.Parsed,
  path: readonly PropertyKey[],
): number | undefined {
  let node: unknown = document.contents;
  let offset = 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
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

/** Where a node begins; undefined for what is no node. */
export function rangeStart(node: unknown): number | undefined {
  if (isScalar(node) || isAlias(node) || isMap(node) || isSeq(node)) return node.range?.[0];
  return undefined;
}
