import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { SiteError } from "#lib/errors";
import { causeOf } from "#lib/values";
import { ConfigError, type ConfigProblem } from "../../config/problem.js";
import { failureFields, placeOf } from "../../boot/failure.js";

/** A reason why a site does not start, for the display of `site dev`. */
export interface Reason {
  cause: string;
  fix?: string;
  /** Relative to the site's root: `plugins/a.ts:12:5`. */
  place?: string;
  /** The lines around the position, which is marked. */
  excerpt?: string;
}
/** A failed startup. */
export interface Failure {
  reasons: readonly Reason[];
  /** Stack in the author's code; empty for a configuration problem. */
  stack: readonly string[];
}

/** Lines of context before and after the marked line. */
const AROUND = 3;
const MAX_LINE = 200;

/** The reasons of a failed startup, each with file, line, excerpt, cause and fix. */
export function describeFailure(error: unknown, root: string): Failure {
  if (error instanceof ConfigError) {
    const reasons = error.problems.map((problem) => ({
      cause: causeOf(problem),
      fix: problem.fix,
      ...located(root, problem),
    }));
    return { reasons, stack: [] };
  }
  const { error: cause, stack } = failureFields(error);
  const place = placeOf(error);
  const fix = error instanceof SiteError ? error.fix : undefined;
  const reason = { cause, ...(fix && { fix }), ...(place && located(root, place)) };
  return { reasons: [reason], stack: place === null ? [] : stack };
}

function located(
  root: string,
  { file, line, column }: Pick<ConfigProblem, "file" | "line" | "column">,
): Pick<Reason, "place" | "excerpt"> {
  const path = resolve(root, file);
  const excerpt = excerptOf(path, line);
  const place = `${relative(root, path)}:${line}:${column}`;
  return { place, ...(excerpt !== null && { excerpt }) };
}

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
