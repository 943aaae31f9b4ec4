/** The only YAML parser: depth and size are limited before anything recurses. */
import {
  Composer,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  Lexer,
  Parser,
  YAMLParseError,
  type CST,
  type Document,
  type ErrorCode,
  type YAMLMap,
  type ScalarTag,
  type Tags,
} from "yaml";

/** Maximum nesting of lists and maps. */
const MAX_DEPTH = 120;
/** Maximum number of tokens (a word, a sign, a run of spaces, a line end): some 50,000 keys with values. */
const MAX_TOKENS = 400_000;
/** Maximum number of aliases whose values a text repeats. */
export const MAX_ALIASES = 100;
/** Stop after this many errors. */
const MAX_FAULTS = 100;

/** The options of a parser; version, schema and merge keys are the same for every file. */
export interface YamlOptions {
  /** True: nodes have the tokens of the text, which edits need. */
  readonly keepSourceTokens?: boolean;
  /** True: documents after the first are allowed, and left out. */
  readonly allowsMore?: boolean;
  /** False: known tags such as `!!set` are reported too. */
  readonly resolveKnownTags?: boolean;
}

/**
 * Parses the first document of a YAML text. Never throws: `errors` lists all problems, including a
 * second document (unless `allowsMore`) and a text that is nested too deeply or too long
 * (`RESOURCE_EXHAUSTION`; it has no contents).
 *
 * The package recurses, and a stack overflow does not always throw a RangeError: while a regular
 * expression compiles, it ends the process. Its own search for duplicate keys is quadratic: minutes
 * for a megabyte.
 */
export function parseYaml(text: string, options: YamlOptions = {}): Document.Parsed {
  try {
    return withinLimits(text, options);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const { document } = compose([], options, 0);
    document.errors.push(error);
    return document;
  }
}

/** @throws YAMLParseError beyond a limit. */
function withinLimits(text: string, options: YamlOptions): Document.Parsed {
  const tokens = boundedTokens(text);
  const { document, second } = compose(tokens, options, text.length);
  for (const error of document.errors) atOpeningQuote(error, document.contents);
  const inspection: Inspection = { faults: [], depths: new Map() };
  if (inspect(document.contents, inspection) > MAX_DEPTH) throw tooDeep(0);
  const { faults } = inspection;
  if (second !== null && options.allowsMore !== true) {
    faults.push(fault(second.range[0], "MULTIPLE_DOCS", "There is a second document"));
  }
  if (faults.length > 0) {
    document.errors.push(...faults);
    document.errors.sort((a, b) => a.pos[0] - b.pos[0]);
  }
  return document;
}

/** An unclosed quote is reported where it opens: the package reports the end of the text. */
function atOpeningQuote(error: YAMLParseError, contents: unknown): void {
  if (error.code !== "MISSING_CHAR" || !/closing .quote/.test(error.message)) return;
  const start = lastQuoted(contents, error.pos[0]);
  if (start !== null) error.pos = [start, start + 1];
}

/** The start of the quoted value that extends furthest towards `end`; null when no value is quoted. */
function lastQuoted(node: unknown, end: number): number | null {
  if (isScalar(node)) {
    const isQuoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE";
    const start = node.range?.[0];
    return isQuoted && start !== undefined && start <= end ? start : null;
  }
  const parts = isPair(node) ? [node.key, node.value] : isCollection(node) ? node.items : [];
  return parts.reduce<number | null>((found, part) => lastQuoted(part, end) ?? found, null);
}

function compose(
  tokens: Iterable<CST.Token>,
  { keepSourceTokens = false, resolveKnownTags = true }: YamlOptions,
  end: number,
): { document: Document.Parsed; second: Document.Parsed | null } {
  const composer = new Composer({
    logLevel: "error",
    keepSourceTokens,
    resolveKnownTags,
    version: "1.2",
    schema: "core",
    merge: false,
    customTags: scalarTags,
    uniqueKeys: false,
  });
  const documents = composer.compose(tokens, true, end);
  const { value: document } = documents.next();
  if (!document) throw new Error("unreachable: the composer makes a document of any text");
  return { document, second: documents.next().value ?? null };
}

/** The syntax trees of a text; the parser's stack, a list, contains the unfinished ones. */
function* boundedTokens(text: string): Generator<CST.Token> {
  const parser = new Parser();
  const count = { tokens: 0, faults: 0 };
  for (const lexeme of new Lexer().lex(text)) {
    for (const tree of parser.next(lexeme)) {
      if (tree.type !== "error" || ++count.faults <= MAX_FAULTS) yield tree;
    }
    if (parser.stack.length > MAX_DEPTH + 2) throw tooDeep(parser.offset);
    if (++count.tokens > MAX_TOKENS) throw tooLong(parser.offset);
  }
  yield* parser.end();
}

interface Inspection {
  faults: YAMLParseError[];
  /** Anchor to the depth of its value. */
  depths: Map<string, number>;
}

/** The depth of a node, aliases included; reports duplicate keys, and names keys by their text. */
function inspect(node: unknown, inspection: Inspection): number {
  if (isAlias(node)) return inspection.depths.get(node.source) ?? 0;
  if (isPair(node)) return Math.max(inspect(node.key, inspection), inspect(node.value, inspection));
  if (!isCollection(node)) return 0;
  let depth = 0;
  for (const item of node.items) depth = Math.max(depth, inspect(item, inspection));
  if (isMap(node)) nameKeys(node, inspection.faults);
  if (node.anchor !== undefined) inspection.depths.set(node.anchor, depth + 1);
  return depth + 1;
}

/** Key `1.10` is "1.10", not "1.1". Beside it, `"1.10"` is another key for this check only. */
function nameKeys({ items }: YAMLMap, faults: YAMLParseError[]): void {
  const known = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const isText = typeof key.value === "string";
    if (!isText) key.value = key.source ?? "";
    const name = `${isText ? "text" : "other"} ${String(key.value)}`;
    if (known.has(name) && faults.length < MAX_FAULTS) {
      faults.push(fault(key.range?.[0] ?? 0, "DUPLICATE_KEY", "Map keys must be unique"));
    }
    known.add(name);
  }
}

function tooDeep(at: number): YAMLParseError {
  return fault(at, "RESOURCE_EXHAUSTION", `nested more than ${MAX_DEPTH} levels deep`);
}

function tooLong(at: number): YAMLParseError {
  return fault(at, "RESOURCE_EXHAUSTION", "too many tokens");
}

function fault(at: number, code: ErrorCode, message: string): YAMLParseError {
  return new YAMLParseError([at, at + 1], code, message);
}

// The one schema of plain scalars: what a word without quotes means, in every file.

const NULLS: ReadonlySet<string> = new Set(["", "~", "null", "Null", "NULL"]);
const TRUES: ReadonlySet<string> = new Set(["true", "True", "TRUE"]);
const FALSES: ReadonlySet<string> = new Set(["false", "False", "FALSE"]);

const INTEGER = /^[-+]?(?:\d+|0o[0-7]+|0x[\da-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** Fits in the 53 bits of a number. */
const RADIX = /^0(?:o[0-7]{1,15}|x[\da-fA-F]{1,13})$/;
const LEADING_ZERO = /^[-+]?0\d/;
/** Any decimal number of this many digits survives the way through a number. */
const SAFE_DIGITS = 15;
/** Numbers closer to zero have fewer digits. */
const MIN_NORMAL = 2 ** -1022;

/**
 * The number of a plain scalar; null for a text. A scalar that would lose characters as a number is a text:
 * leading zeros (`01234`), more than 15 digits (`1234567890123456789`), overflow (`1e999`), `.inf` and `.nan`.
 */
export function plainNumber(text: string): number | null {
  if (RADIX.test(text)) return Number(text);
  if (!FLOAT.test(text) || LEADING_ZERO.test(text)) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  const digits = text.replace(/e.*$/i, "").replace(/[-+.]/g, "").replace(/^0+/, "");
  if (digits === "") return value;
  if (digits.length <= SAFE_DIGITS && Math.abs(value) >= MIN_NORMAL) return value;
  // The text is the one that writes the number, so it is read as the same number again.
  const isCanonical = text === String(value) || text === value.toExponential();
  return isCanonical && !INTEGER.test(text) ? value : null;
}

/** The value of a plain scalar: core schema, except for numbers that would lose characters. */
export function plainValue(text: string): string | number | boolean | null {
  if (NULLS.has(text)) return null;
  if (TRUES.has(text)) return true;
  if (FALSES.has(text)) return false;
  return plainNumber(text) ?? text;
}

const numberTag = (name: "int" | "float", test: RegExp): ScalarTag => ({
  tag: `tag:yaml.org,2002:${name}`,
  default: true,
  test,
  resolve: (text) => plainNumber(text) ?? text,
});

const NUMBERS: readonly ScalarTag[] = [numberTag("int", INTEGER), numberTag("float", FLOAT)];

/** Replaces the numbers of the core schema, for the option `customTags` of the package `yaml`. */
function scalarTags(core: Tags): Tags {
  const others = core.filter((tag) => typeof tag === "string" || !/:(?:int|float)$/.test(tag.tag));
  return [...others, ...NUMBERS];
}
