/** Where an exception was thrown, in the author's code. */
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot, runsSources } from "./packages/package-root.js";

/** A position in a source file. */
export interface SourcePosition {
  /** Absolute. */
  file: string;
  line: number;
  column: number;
}
/** Log fields of an exception. */
export interface FailureFields extends Record<string, unknown> {
  error: string;
  /** `file:line:column` of the author's code; absent when the stack has none. */
  at?: string;
  /** Stack of the root cause, one line each. */
  stack: readonly string[];
}

/** Maximum number of stack lines logged. */
const MAX_STACK = 20;
const MAX_CAUSES = 10;
/** `at f (/a/b.ts:1:2)`, and the last line of a parser's message: `/a/b.ts:1:2`. */
const PLACE =
  /(?:^|[\s(])((?:file:\/\/)?\/[^():\n]*|(?:file:\/\/\/)?[A-Za-z]:[\\/][^():\n]*):(\d+):(\d+)\)?$/;
/** Folders of the kernel and of the first-party plugins. */
const OWN = (runsSources() ? ["kernel", "plugins"] : ["dist"]).map(
  (folder) => join(packageRoot(), folder) + sep,
);

/** Message, position and stack of an exception for the log. */
export function failureFields(error: unknown): FailureFields {
  const cause = firstCause(error);
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  const place = placeOf(error);
  return {
    error: error instanceof Error ? error.message : String(error),
    ...(place !== null && { at: formatPosition(place) }),
    stack: text.split("\n").slice(0, MAX_STACK),
  };
}

/** The topmost position outside of this package, preferably outside of all packages; null without one. */
export function placeOf(error: unknown): SourcePosition | null {
  const cause = firstCause(error);
  if (!(cause instanceof Error)) return null;
  const places = `${cause.message}\n${cause.stack ?? ""}`.split("\n").flatMap(placesIn);
  const outside = places.filter(({ file }) => !OWN.some((own) => file.startsWith(own)));
  return (
    outside.find(({ file }) => !file.includes(`${sep}node_modules${sep}`)) ?? outside[0] ?? null
  );
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

function placesIn(text: string): SourcePosition[] {
  const match = PLACE.exec(text.trimEnd());
  const [, path = "", line, column] = match ?? [];
  if (match === null) return [];
  const file = path.startsWith("file://") ? fileURLToPath(path) : path;
  return [{ file, line: Number(line), column: Number(column) }];
}
