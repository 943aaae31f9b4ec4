/** Modules of a site as Node can run them, and the author's positions behind the positions that Node reports. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import type { TransformOptions, TransformResult } from "jiti";
import { PRIVATE_FOLDER } from "#lib/files";
import { isRecord } from "#lib/values";

/** Transforms the source of one module. */
export type Transform = (options: TransformOptions) => TransformResult;

/** The transformation of a module, to map its positions back. */
interface Transpiled {
  /** Source map as JSON. */
  map: string;
  isAsync: boolean;
}

const MAP_COMMENT =
  /\n\/\/# sourceMappingURL=data:application\/json[^,\n]{0,60};base64,([\w+/=]+)\s*$/;
/** Precedes the first line of a transformed module. */
const PARAMETERS =
  "(function (exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve) { ";
/**
 * The transformed modules of this process, by absolute file: an index beside Node's own cache of modules, which
 * is one per process too. An error does not name its site.
 */
class TranspiledModules {
  readonly #byFile = new Map<string, Transpiled>();

  set(file: string, base64: string | undefined, isAsync: boolean): void {
    if (base64 === undefined) this.#byFile.delete(file);
    else this.#byFile.set(file, { map: Buffer.from(base64, "base64").toString("utf8"), isAsync });
  }

  get(file: string): Transpiled | undefined {
    return this.#byFile.get(file);
  }
}

const transpiled = new TranspiledModules();

/** True for a file that was transformed in this process. */
export function isTranspiled(file: string): boolean {
  return transpiled.get(file) !== undefined;
}

/** `transform` with a cache of its results in `folder`; without the folder it transforms each time. */
export function cachedTransform(transform: Transform, folder: string): Transform {
  return (options) => {
    const { filename = "", source, async: isAsync = false } = options;
    const stamp = `\n// ${hashOf(source)}\n`;
    const path = join(folder, `${hashOf(`${filename}\n${isAsync}`)}.js`);
    const cached = readCached(path, stamp);
    const result: TransformResult =
      cached === null
        ? transform({
            ...options,
            babel: { ...options.babel, sourceFileName: filename, sourceMaps: "inline" },
          })
        : { code: cached };
    const map = MAP_COMMENT.exec(result.code)?.[1];
    transpiled.set(filename, map, isAsync);
    if (result.error !== undefined) throw syntaxError(result.error, filename);
    if (cached === null) writeCached(folder, path, result.code + stamp);
    return { ...result, code: result.code.replace(MAP_COMMENT, "\n") };
  };
}

/** The place of Babel's error for a module that it cannot parse: lines count from 1, columns from 0. */
function parseErrorPlace(error: Error): { line: number; column: number } | null {
  const loc = "loc" in error && isRecord(error.loc) ? error.loc : {};
  const { line, column } = loc;
  return typeof line === "number" && typeof column === "number" ? { line, column } : null;
}

/** A syntax error whose stack is its place in the author's file. */
function syntaxError(error: unknown, filename: string): Error {
  if (!(error instanceof Error)) return new SyntaxError(String(error));
  const loc = parseErrorPlace(error);
  if (loc === null) return error;
  const { message } = error;
  // Babel writes the file before the message, and the place and an excerpt after it.
  const [first = ""] = message
    .replace(`${filename}: `, "")
    .replace(/^\/?: /, "")
    .split("\n");
  const thrown = new SyntaxError(first.replace(/\s*\(\d+:\d+\)$/, ""));
  thrown.stack = `SyntaxError: ${thrown.message}\n    at ${filename}:${loc.line}:${loc.column + 1}`;
  return thrown;
}

/** The author's line and column behind a position in a module; a position elsewhere stays as it is. */
export function authorPosition<T extends { file: string; line: number; column: number }>(
  position: T,
): T {
  const source = transpiled.get(position.file);
  if (source === undefined) return position;
  const before = PARAMETERS.length + (source.isAsync ? "async ".length : 0);
  const column = position.line === 1 ? Math.max(1, position.column - before) : position.column;
  const map = new SourceMap(JSON.parse(source.map));
  const entry = map.findEntry(position.line - 1, column - 1);
  if (!("originalLine" in entry)) return { ...position, column };
  return { ...position, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

function readCached(path: string, stamp: string): string | null {
  try {
    const text = readFileSync(path, "utf8");
    // At the end: another process may be writing the file.
    return text.endsWith(stamp) ? text.slice(0, -stamp.length) : null;
  } catch {
    return null;
  }
}

/** A folder that cannot be written costs a transformation at each startup. */
function writeCached(folder: string, path: string, text: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    writeFileSync(path, text, { mode: 0o600 });
  } catch {
    return;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}
