/** Commands of the command line. */
import type { Site } from "../boot/create-site.js";
import type { InspectOptions, LoadedSite } from "../boot/load-site.js";
import type { LeaveOut } from "../boot/safe-mode.js";
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
/** What a command that examines a site receives, whether the site starts or not. */
export interface ToolInput extends CommandInput {
  /**
   * The configuration and the plugins of the site, none of them set up. Problems of the configuration are in
   * `config.problems`. @throws ERR_PLUGIN_…, ERR_CONFIG_ROOT.
   */
  inspect(options?: InspectOptions): Promise<LoadedSite>;
  /** Sets the site up in production mode, without some of its plugins; the caller starts and closes it. */
  boot(options?: LeaveOut): Promise<Site>;
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
