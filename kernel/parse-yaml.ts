/** The one way in which YAML is read: depth and size are bounded before anything recurses over it. */
import {
  Composer,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  YAMLParseError,
} from "yaml";
import type { CST, Document, ErrorCode, YAMLMap } from "yaml";
import type { DocumentOptions, ParseOptions, SchemaOptions } from "yaml";

/** Levels of lists and maps, more than any file of a site needs. */
const DEEPEST = 100;
/** Tokens (a word, a sign, a run of spaces, an end of a line each): some 50,000 keys with their values. */
const MOST_TOKENS = 400_000;
/** What is wrong in many places is told of so often: an error costs more than what it is about. */
const MOST_FAULTS = 100;

/** The options of the package `yaml`; keys are always unique, and errors without excerpts. */
export type YamlOptions = Omit<
  ParseOptions & DocumentOptions & SchemaOptions,
  "uniqueKeys" | "prettyErrors"
>;

/**
 * The first document of a YAML text. Never throws: what is wrong stands in its `errors`, among them a
 * second document (unless `logLevel` is `silent`) and a text that is nested too deeply or too long
 * (`RESOURCE_EXHAUSTION`; it has no contents). `lineCounter` gives the places of errors.
 *
 * The package recurses, and where the stack ends it does not always throw a RangeError: a regular
 * expression that is compiled there ends the process. Its own search for equal keys takes the square
 * of their number, minutes for a megabyte.
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
  const tokens = boundedTokens(text, options.lineCounter?.addNewLine);
  const { document, second } = compose(tokens, options, text.length);
  for (const error of document.errors) atOpeningQuote(error, document.contents);
  const inspection: Inspection = { faults: [], depths: new Map() };
  if (inspect(document.contents, inspection) > DEEPEST) throw tooDeep(0);
  const { faults } = inspection;
  if (second !== null && options.logLevel !== "silent") {
    faults.push(fault(second.range[0], "MULTIPLE_DOCS", "There is a second document"));
  }
  if (faults.length > 0) {
    document.errors.push(...faults);
    document.errors.sort((a, b) => a.pos[0] - b.pos[0]);
  }
  return document;
}

/** A quote that is never closed is reported where it opens: the package names the end of the text. */
function atOpeningQuote(error: YAMLParseError, contents: unknown): void {
  if (error.code !== "MISSING_CHAR" || !/closing .quote/.test(error.message)) return;
  const start = lastQuoted(contents, error.pos[0]);
  if (start !== null) error.pos = [start, start + 1];
}

/** Where the quoted value begins that reaches furthest towards `end`; null when there is none. */
function lastQuoted(node: unknown, end: number): number | null {
  if (isScalar(node)) {
    const isQuoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE";
    const start = node.range?.[0];
    return isQuoted && start !== undefined && start <= end ? start : null;
  }
  const parts = isPair(node)
    ? [node.key, node.value]
    : isMap(node) || isSeq(node)
      ? node.items
      : [];
  return parts.reduce<number | null>((found, part) => lastQuoted(part, end) ?? found, null);
}

function compose(
  tokens: Iterable<CST.Token>,
  options: YamlOptions,
  end: number,
): { document: Document.Parsed; second: Document.Parsed | null } {
  const composer = new Composer({ logLevel: "error", ...options, uniqueKeys: false });
  const documents = composer.compose(tokens, true, end);
  const { value: document } = documents.next();
  if (!document) throw new Error("unreachable: the composer makes a document of any text");
  return { document, second: documents.next().value ?? null };
}

/** The syntax trees of a text; the parser's stack, which is a list, holds what is open. */
function* boundedTokens(text: string, onNewLine?: (offset: number) => void): Generator<CST.Token> {
  const parser = new Parser(onNewLine);
  const count = { tokens: 0, faults: 0 };
  onNewLine?.(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const tree of parser.next(lexeme)) {
      if (tree.type !== "error" || ++count.faults <= MOST_FAULTS) yield tree;
    }
    if (parser.stack.length > DEEPEST + 2) throw tooDeep(parser.offset);
    if (++count.tokens > MOST_TOKENS) throw tooLong(parser.offset);
  }
  yield* parser.end();
}

interface Inspection {
  faults: YAMLParseError[];
  /** Anchor to the levels below it. */
  depths: Map<string, number>;
}

/** The levels below a node, those behind aliases included; finds keys that are there twice. */
function inspect(node: unknown, inspection: Inspection): number {
  if (isAlias(node)) return inspection.depths.get(node.source) ?? 0;
  if (isPair(node)) return Math.max(inspect(node.key, inspection), inspect(node.value, inspection));
  if (!isMap(node) && !isSeq(node)) return 0;
  let depth = 0;
  for (const item of node.items) depth = Math.max(depth, inspect(item, inspection));
  if (isMap(node)) findEqualKeys(node, inspection.faults);
  if (node.anchor !== undefined) inspection.depths.set(node.anchor, depth + 1);
  return depth + 1;
}

function findEqualKeys({ items }: YAMLMap, faults: YAMLParseError[]): void {
  const known = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (known.has(key.value) && faults.length < MOST_FAULTS) {
      faults.push(fault(key.range?.[0] ?? 0, "DUPLICATE_KEY", "Map keys must be unique"));
    }
    known.add(key.value);
  }
}

function tooDeep(at: number): YAMLParseError {
  return fault(at, "RESOURCE_EXHAUSTION", `nested more than ${DEEPEST} levels deep`);
}

function tooLong(at: number): YAMLParseError {
  return fault(at, "RESOURCE_EXHAUSTION", "longer than any file of a site need be");
}

function fault(at: number, code: ErrorCode, message: string): YAMLParseError {
  return new YAMLParseError([at, at + 1], code, message);
}
