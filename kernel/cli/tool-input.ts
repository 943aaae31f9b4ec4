import type { Site } from "../boot/create-site.js";
import type { LeaveOut } from "../boot/left-out-plugins.js";
import type { FirstParty, InspectOptions, LoadedSite } from "../boot/load-site.js";
import type { CommandInput, Env, Output } from "../contracts.js";
import type { Launch, Program } from "./serve/launch.js";

/** The input of a command that examines a site, whether the site starts or not. */
export interface ToolInput extends CommandInput {
  /** The first-party plugins of the program, selected or not. */
  readonly firstParty: FirstParty;
  /** The error codes of the kernel, each with its meaning and fix. */
  readonly kernelErrors: Readonly<Record<string, string>>;
  /**
   * The configuration and the plugins of the site, none of them set up. Problems of the configuration are in
   * `config.problems`. @throws ERR_PLUGIN_…, ERR_CONFIG_ROOT.
   */
  inspect(options?: InspectOptions): Promise<LoadedSite>;
  /** Sets the site up in production mode, without some of its plugins; the caller starts and closes it. */
  boot(options?: LeaveOut): Promise<Site>;
}

/** The input of a command that serves the site: one with the options of `serve`. */
export interface ServeInput extends ToolInput {
  /** @throws ERR_CLI_OPTION for an invalid option. */
  launch(mode: Env["mode"]): Promise<Launch>;
}

/** Shared by the commands of one run. */
export interface CliContext {
  firstParty: Program;
  out: Output;
}
