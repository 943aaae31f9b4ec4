/** Commands of the command line. */
import type { Logger } from "./environment.js";
import type { SiteRecipe } from "./runtime.js";
import type { SiteContext } from "./site.js";

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
/** What a command receives. */
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
/** Terminal output; coloured on a terminal, plain when piped. */
export interface Output {
  line(text?: string): void;
  json(value: unknown): void;
  error(text: string): void;
  /** A progress line on stderr; silent when piped. */
  progress(
    label: string,
    total: number,
  ): { tick(done: number, note?: string): void; end(note?: string): void };
  readonly colour: {
    bold(text: string): string;
    dim(text: string): string;
    green(text: string): string;
    red(text: string): string;
    yellow(text: string): string;
    cyan(text: string): string;
  };
}
