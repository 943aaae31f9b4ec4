import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { SiteError } from "#lib/errors";
import { causeOf, formatProblem } from "#lib/values";
import { ConfigError, type ConfigProblem } from "../config/problem.js";
import type { ReloadProblem } from "../contracts.js";
import { failureFields, placeOf } from "./failure.js";

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

/** The problems of a site that does not start; file names are relative to `root`. */
export function problemsOf(error: unknown, root: string): ReloadProblem[] {
  if (error instanceof ConfigError) {
    return error.problems.map((problem) => {
      const { file, line, key, fix } = problem;
      const cause = causeOf(problem);
      return { file, line, key: key || null, message: formatProblem(problem), cause, fix };
    });
  }
  const message = failureFields(error).error.replaceAll(resolve(root), ".");
  const fix = error instanceof SiteError ? (error.fix ?? null) : null;
  return [{ ...fileOf(error, root), key: null, message, cause: message, fix }];
}

/** Does not name files outside the site. */
function fileOf(error: unknown, root: string): Pick<ReloadProblem, "file" | "line"> {
  const place = placeOf(error);
  const file = place === null ? ".." : relative(root, place.file);
  return place === null || file.startsWith("..")
    ? { file: null, line: null }
    : { file, line: place.line };
}
