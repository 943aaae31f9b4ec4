/** Finds the place in the author's code where an exception was thrown. */
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { packageRoot, runsSources } from "#lib/packages";
import { authorPosition } from "./transpile.js";

/** A position in a source file. */
export interface SourcePosition {
  /** Absolute. */
  file: string;
  line: number;
  column: number;
}
/** Maximum number of stack lines logged. */
const MAX_STACK = 20;
const MAX_CAUSES = 10;
/** `at f (/a/b.ts:1:2)`, and the last line of a parser's message: `/a/b.ts:1:2`. */
const PLACE =
  /(?:^|[\s(])((?:file:\/\/)?\/[^():\n]*|(?:file:\/\/\/)?[A-Za-z]:[\\/][^():\n]*):(\d+):(\d+)\)?$/;
/** Folders of the kernel and of the first-party plugins, below the package. */
const OWN = runsSources() ? ["kernel", "lib", "plugins"] : ["dist", join("kernel", "cli")];

/**
 * The stack of the root cause, with the author's positions. Frames of this package, of other packages and of
 * Node are counted in one line, which names the innermost one when another package or Node threw. Without a frame of the author:
 * all frames, or none when the message ends with a place in a file of the author.
 */
export function stackOf(error: unknown): string[] {
  const cause = firstCause(error);
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  const lines = text.split("\n").map(withAuthorPosition);
  const isFrame = (line: string): boolean => line.startsWith("    at ");
  const frames = lines.filter(isFrame);
  const author = frames.filter((line) => listPlaces(line).some(isAuthors));
  const message = lines.slice(0, frames[0] === undefined ? undefined : lines.indexOf(frames[0]));
  const isPlaced = listPlaces(message.at(-1) ?? "").some(isAuthors);
  if (author.length === 0) return (isPlaced ? message : lines).slice(0, MAX_STACK);
  const others = frames.length - author.length;
  const [innermost = ""] = frames;
  const isElsewhere =
    !author.includes(innermost) && !listPlaces(innermost).some(({ file }) => isOwn(file));
  const threw = isElsewhere ? `, thrown ${innermost.trim()}` : "";
  const frameWord = others === 1 ? "frame" : "frames";
  const folded =
    others === 0 ? [] : [`    … ${others} ${frameWord} of packages and Node.js${threw}`];
  return [...[...message, ...author].slice(0, MAX_STACK), ...folded];
}

function withAuthorPosition(line: string): string {
  const [position] = listPlaces(line);
  if (position === undefined) return line;
  const { line: row, column } = authorPosition(position);
  return line.replace(/:\d+:\d+(\)?)\s*$/, `:${row}:${column}$1`);
}

function isAuthors({ file }: SourcePosition): boolean {
  return !file.includes(`${sep}node_modules${sep}`) && !isOwn(file);
}

function isOwn(file: string): boolean {
  const root = packageRoot();
  return OWN.some((folder) => file.startsWith(join(root, folder) + sep));
}

/** The topmost position outside of this package, preferably outside of all packages; null without one. */
export function placeOf(error: unknown): SourcePosition | null {
  const cause = firstCause(error);
  if (!(cause instanceof Error)) return null;
  const places = `${cause.message}\n${cause.stack ?? ""}`.split("\n").flatMap(listPlaces);
  const outside = places.filter(({ file }) => !isOwn(file));
  const position = outside.find(isAuthors) ?? outside[0];
  return position === undefined ? null : authorPosition(position);
}

/** Works like `placeOf`, but returns null without a frame of the author. */
export function authorPlaceOf(error: unknown): SourcePosition | null {
  const position = placeOf(error);
  return position === null || !isAuthors(position) ? null : position;
}

/** `file:line:column`. */
export function formatPosition({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

/** The root cause: its stack leads to the line that failed. */
export function firstCause(error: unknown, depth = 0): unknown {
  const hasCause = error instanceof Error && error.cause instanceof Error && depth < MAX_CAUSES;
  return hasCause ? firstCause(error.cause, depth + 1) : error;
}

function listPlaces(text: string): SourcePosition[] {
  const match = PLACE.exec(text.trimEnd());
  const [, path = "", line, column] = match ?? [];
  if (match === null) return [];
  const file = path.startsWith("file://") ? fileURLToPath(path) : path;
  return [{ file, line: Number(line), column: Number(column) }];
}

/** Lines of context before and after the marked line. */
const AROUND = 3;
const MAX_LINE = 200;

/** The lines around a line, which is marked; null for a file that cannot be read. */
export function excerptOf(file: string, line: number): string | null {
  try {
    const lines = readFileSync(file, "utf8").split(/\r?\n/);
    const first = Math.max(0, line - 1 - AROUND);
    const width = String(line + AROUND).length;
    return lines
      .slice(first, line + AROUND)
      .map((text, index) => {
        const number = first + index + 1;
        const mark = number === line ? ">" : " ";
        return `${mark} ${String(number).padStart(width)} | ${text.slice(0, MAX_LINE)}`;
      })
      .join("\n");
  } catch {
    return null;
  }
}
