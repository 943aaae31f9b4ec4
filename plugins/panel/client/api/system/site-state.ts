import type { List } from "../content/pages.js";
import { json } from "../request.js";

/** A problem of the content, as `content:check` reports it. */
export interface ContentProblem {
  /** Below `content/`, or below the site for other files. */
  readonly sourcePath: string;
  readonly message: string;
  readonly severity: "error" | "warning";
  readonly line?: number;
}
/** A plugin as it runs. */
export interface PluginState {
  readonly name: string;
  readonly state: "active" | "failed" | "disabled";
  /** Why it did not start. */
  readonly error?: string;
  /** Hooks that are disabled because they fail. */
  readonly failingHooks?: readonly string[];
  /** What health reports about it. */
  readonly problem?: string;
}

/** All problems of the content; empty without the plugin `check`. */
export function listProblems(): Promise<List<ContentProblem>> {
  return json("/problems");
}

/** All plugins. */
export async function listPluginStates(): Promise<readonly PluginState[]> {
  return (await json<{ plugins: readonly PluginState[] }>("/introspect")).plugins;
}
