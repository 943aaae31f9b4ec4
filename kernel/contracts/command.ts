/** Commands of the command line. */
import type { Output } from "#lib/terminal";
import type { Logger } from "./environment.js";
import type { SiteRecipe } from "./runtime.js";
import type { SiteContext } from "./site.js";

export type { Output } from "#lib/terminal";

/** A CLI command of a plugin: `site <name>`. */
export interface Command {
  /** `search:compare`. */
  name: string;
  summary: string;
  /** Commander syntax: `<left> <right>`, `[query...]`. */
  arguments?: string;
  /** Commander syntax with help: `["--json", "print JSON"]`. */
  options?: readonly (readonly [flags: string, help: string])[];
  /** The exit code; 0 when it returns nothing. */
  run(input: CommandInput): number | void | Promise<number | void>;
}
/** The input of a command. */
export interface CommandInput {
  args: readonly string[];
  options: Record<string, unknown>;
  /** The booted site (index loaded, no port); closed by the CLI afterwards. `checks`: of a reload, too. */
  site(
    options?: Pick<SiteRecipe, "purpose" | "overrides"> & { log?: Logger; checks?: boolean },
  ): Promise<SiteContext>;
  out: Output;
  root: string;
}
