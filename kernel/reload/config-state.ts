/** What the last reload found, for the sites of a process that replace each other. */
import { relative, resolve } from "node:path";
import { z } from "zod";
import { SiteError } from "#lib/errors";
import { causeOf, formatProblem } from "#lib/values";
import { ConfigError } from "../config/problem.js";
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
      cause: z.string(),
      fix: z.string().nullable(),
    }),
  ),
});

/** Holds the state; the site that runs reads it, whatever reloads the configuration writes it. */
export class ConfigStateHolder {
  current: ConfigState = { state: "valid", at: null, problems: [] };
  readonly #listeners = new Set<() => void>();
  readonly #changedPackages = new Set<string>();

  /** What plugins see of it. */
  view(): Pick<SiteRuntime, "configState" | "onOutdated" | "changedPackages"> {
    return {
      configState: () => this.current,
      changedPackages: this.#changedPackages,
      onOutdated: (listener) => {
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
    this.#outdated();
    return this.current;
  }

  /** Notes a package that this process has loaded in another version: no later site has the new one. */
  packageChanged(name: string): void {
    this.#changedPackages.add(name);
    this.#outdated();
  }

  #outdated(): void {
    for (const listener of this.#listeners) listener();
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
