/** What the last reload found, for the sites of a process that replace each other. */
import { relative, resolve } from "node:path";
import { z } from "zod";
import { ConfigError, formatProblem } from "../config/problem.js";
import type { ConfigState, ReloadProblem, SiteRuntime } from "../contracts.js";
import { failureFields, placeOf } from "../boot/failure.js";

export const configStateShape = z.object({
  state: z.enum(["valid", "invalid"]),
  at: z.string().nullable(),
  problems: z.array(
    z.object({
      file: z.string().nullable(),
      line: z.number().nullable(),
      key: z.string().nullable(),
      message: z.string(),
    }),
  ),
});

/** Holds the state; the site that runs reads it, whatever reloads the configuration writes it. */
export class ConfigStateHolder {
  current: ConfigState = { state: "valid", at: null, problems: [] };
  readonly #listeners = new Set<() => void>();

  /** What plugins see of it. */
  view(): Pick<SiteRuntime, "configState" | "onReloadFailure"> {
    return {
      configState: () => this.current,
      onReloadFailure: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
  }

  succeeded(): ConfigState {
    return (this.current = { state: "valid", at: new Date().toISOString(), problems: [] });
  }

  failed(error: unknown, root: string): ConfigState {
    const problems = problemsOf(error, root);
    this.current = { state: "invalid", at: new Date().toISOString(), problems };
    for (const listener of this.#listeners) listener();
    return this.current;
  }
}

/** The problems of a site that does not start; file names are relative to `root`. */
export function problemsOf(error: unknown, root: string): ReloadProblem[] {
  if (error instanceof ConfigError) {
    return error.problems.map((problem) => {
      const { file, line, key } = problem;
      return { file, line, key: key || null, message: formatProblem(problem) };
    });
  }
  const place = placeOf(error);
  const message = failureFields(error).error.replaceAll(resolve(root), ".");
  const file = place === null ? null : relative(root, place.file);
  // Do not name files outside the site.
  if (place === null || file === null || file.startsWith("..")) {
    return [{ file: null, line: null, key: null, message }];
  }
  return [{ file, line: place.line, key: null, message }];
}
