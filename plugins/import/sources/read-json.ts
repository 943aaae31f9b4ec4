/** Streams the objects in the lists of a JSON file, one at a time: the rest of the file must be small. */
import { basename } from "node:path";
import { sourceError } from "../errors.js";
import { detached, readText } from "./source-files.js";

const MAX_DEPTH = 1_000;
/** Characters of one object, and of everything outside of the objects. */
const MAX_OBJECT = 32 * 1_048_576;
const MAX_OUTLINE = 32 * 1_048_576;
/** Characters before a list in which its name is found. */
const TAIL = 300;
const NAME = /"([^"\\]{1,100})"\s*:\s*$/;
/** Codes of the characters that give a JSON text its shape. */
const QUOTE = 34;
const BACKSLASH = 92;
const LINE = 10;
const OPEN = 123;
const CLOSE = 125;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;

/** An object in a list. */
export interface JsonElement {
  /** Name of the list; empty for a list without one. */
  readonly list: string;
  readonly value: unknown;
  /** From 1. */
  readonly line: number;
}
/** Selects the objects to read. */
interface JsonLists {
  /** The brackets around them, from the outside: `[` for those of a list, `{[` for those of a map of lists. */
  readonly places: readonly string[];
  /** False: the objects of this list are skipped. */
  wants(list: string): boolean;
}

/** A JSON file that is read in parts. */
export class JsonFile {
  readonly #path: string;
  #outline: unknown = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** The file with `{}` for each object of `elements`; null before these have ended. */
  get outline(): unknown {
    return this.#outline;
  }

  /** The objects in their order. @throws ERR_IMPORT_SOURCE with file and line for invalid JSON. */
  async *elements(lists: JsonLists): AsyncGenerator<JsonElement> {
    const scan = new Scan(basename(this.#path), lists);
    let isFirst = true;
    for await (const part of readText(this.#path)) {
      scan.write(isFirst ? part.replace(/^\uFEFF/, "") : part);
      isFirst = false;
      yield* scan.take();
    }
    this.#outline = scan.end();
  }
}

/** An object that is read. */
interface OpenObject {
  readonly parts: string[];
  readonly isWanted: boolean;
  /** Brackets around it. */
  readonly depth: number;
  readonly line: number;
  length: number;
}

class Scan {
  readonly #file: string;
  readonly #lists: JsonLists;
  readonly #outline: string[] = [];
  #outlineLength = 0;
  /** The end of the outline. */
  #tail = "";
  #list = "";
  #stack = "";
  #isText = false;
  #isEscaped = false;
  #line = 1;
  #object: OpenObject | null = null;
  #found: JsonElement[] = [];

  constructor(file: string, lists: JsonLists) {
    this.#file = file;
    this.#lists = lists;
  }

  write(part: string): void {
    let from = 0;
    for (let at = 0; at < part.length; at += 1) {
      const code = part.charCodeAt(at);
      if (code === LINE) this.#line += 1;
      if (this.#isText) this.#inText(code);
      else if (code === QUOTE) this.#isText = true;
      else if (code === OPEN || code === OPEN_LIST) from = this.#open(part, code, from, at);
      else if (code === CLOSE || code === CLOSE_LIST) from = this.#close(part, from, at);
    }
    this.#add(part.slice(from));
  }

  take(): JsonElement[] {
    const taken = this.#found;
    this.#found = [];
    return taken;
  }

  /** The outline, parsed. */
  end(): unknown {
    return parseJson(this.#outline.join(""), this.#file, 1);
  }

  #inText(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isText = false;
  }

  /** An opening bracket. Returns where the text begins that was not added yet. */
  #open(part: string, code: number, from: number, at: number): number {
    const isObject = code === OPEN;
    let rest = from;
    if (this.#object === null && isObject && this.#lists.places.includes(this.#stack)) {
      this.#add(part.slice(from, at));
      const isWanted = this.#lists.wants(this.#list);
      const { length: depth } = this.#stack;
      this.#object = { parts: [], isWanted, depth, line: this.#line, length: 0 };
      rest = at;
    } else if (this.#object === null && !isObject) {
      this.#list = NAME.exec((this.#tail + part.slice(from, at)).slice(-TAIL))?.[1] ?? "";
    }
    this.#stack += isObject ? "{" : "[";
    if (this.#stack.length > MAX_DEPTH)
      this.#fail(`invalid JSON: it is nested more than ${MAX_DEPTH} deep`);
    return rest;
  }

  /** A closing bracket. Returns as `#open`. */
  #close(part: string, from: number, at: number): number {
    this.#stack = this.#stack.slice(0, -1);
    if (this.#object === null || this.#stack.length > this.#object.depth) return from;
    this.#add(part.slice(from, at + 1));
    this.#finish(this.#object);
    return at + 1;
  }

  #finish({ parts, line, isWanted }: OpenObject): void {
    this.#object = null;
    if (isWanted) {
      const value = parseJson(parts.join(""), this.#file, line);
      this.#found.push({ list: this.#list, value, line });
    }
    // Errors of the outline name the line of the file.
    this.#add(`{}${"\n".repeat(this.#line - line)}`);
  }

  /** Adds a text to the open object, else to the outline. */
  #add(text: string): void {
    if (this.#object === null) return this.#addOutline(text);
    this.#object.length += text.length;
    if (this.#object.length > MAX_OBJECT)
      this.#fail(`an object is longer than ${MAX_OBJECT} characters`);
    if (this.#object.isWanted) this.#object.parts.push(text);
    return undefined;
  }

  #addOutline(text: string): void {
    this.#outline.push(detached(text));
    this.#outlineLength += text.length;
    this.#tail = (this.#tail + text).slice(-TAIL);
    if (this.#outlineLength > MAX_OUTLINE)
      this.#fail(`it has more than ${MAX_OUTLINE} characters outside of its lists of objects`);
  }

  #fail(problem: string): never {
    throw sourceError({ file: this.#file, line: this.#line }, problem);
  }
}

/** Parses a part of a file that begins at a line. @throws ERR_IMPORT_SOURCE with the line. */
function parseJson(source: string, file: string, line: number): unknown {
  try {
    return parseJsonTexts(source);
  } catch (error) {
    const message = error instanceof Error ? error.message : "invalid";
    const position = /position (\d+)/.exec(message)?.[1];
    const before = position === undefined ? source : source.slice(0, Number(position));
    throw sourceError({ file, line: line + before.split("\n").length - 1 }, "invalid JSON");
  }
}

/** A text, or a number. */
const JSON_TOKEN = /"(?:[^"\\]|\\[^])*"|-?\d[\d.eE+-]*/g;

/**
 * The value of a JSON text; a number that would lose characters, such as `1.10` or one of 19 digits, is a text.
 * @throws SyntaxError for invalid JSON.
 */
export function parseJsonTexts(source: string): unknown {
  const value: unknown = JSON.parse(source);
  let isOther = false;
  const quoted = source.replace(JSON_TOKEN, (token) => {
    if (token.startsWith('"') || String(Number(token)) === token) return token;
    isOther = true;
    return JSON.stringify(token);
  });
  return isOther ? JSON.parse(quoted) : value;
}
