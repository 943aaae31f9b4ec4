import { relative, resolve } from "node:path";
import { errorCode, isErrorCode, SiteError } from "#lib/errors";
import { authorPlaceOf, excerptOf, formatPosition, placeOf, stackOf } from "#lib/modules";
import { causeOf, formatProblem } from "#lib/values";
import { EngineError } from "../errors.js";
import { ConfigError, type ConfigProblem } from "../config/problem.js";
import type { ReloadProblem } from "../contracts.js";

/** Log fields of an exception. */
export interface FailureFields extends Record<string, unknown> {
  error: string;
  /** `ERR_…` or `ENOENT`; absent when the error has none. */
  code?: string;
  /** The fix that the error proposes; absent when it proposes none. */
  fix?: string;
  /** `file:line:column` of the author's code; absent when the stack has none. */
  at?: string;
  /** Stack of the root cause, one line each: the author's frames first, all others counted in one line. */
  stack: readonly string[];
}

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

/** Message, code, fix, position and stack of an exception for the log. */
export function failureFields(error: unknown): FailureFields {
  // Frames of packages do not help with an error that the site itself throws.
  const isKnown = error instanceof SiteError || error instanceof EngineError;
  const isOurs = isKnown && error.cause === undefined;
  const position = isOurs ? authorPlaceOf(error) : placeOf(error);
  const stack = stackOf(error);
  const code = errorCode(error);
  return {
    error: error instanceof Error ? error.message : String(error),
    ...(isErrorCode(code) && { code }),
    ...(isKnown && error.fix !== undefined && { fix: error.fix }),
    ...(position !== null && { at: formatPosition(position) }),
    stack:
      isOurs && position === null ? stack.filter((line) => !line.startsWith("    at ")) : stack,
  };
}

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
  const position = placeOf(error);
  const fix = error instanceof SiteError ? error.fix : undefined;
  const reason = { cause, ...(fix && { fix }), ...(position && located(root, position)) };
  return { reasons: [reason], stack: position === null ? [] : stack };
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
  return [{ ...locateFile(error, root), key: null, message, cause: message, fix }];
}

/** Does not name files outside the site. */
function locateFile(error: unknown, root: string): Pick<ReloadProblem, "file" | "line"> {
  const position = placeOf(error);
  const file = position === null ? ".." : relative(root, position.file);
  return position === null || file.startsWith("..")
    ? { file: null, line: null }
    : { file, line: position.line };
}
