import type { Site } from "../boot/create-site.js";
import type { InspectOptions, LoadedSite, FirstParty } from "../boot/load-site.js";
import type { LeaveOut } from "../boot/left-out-plugins.js";
import type { CommandInput, Output } from "../contracts.js";

/** The input of a command that examines a site, whether the site starts or not. */
export interface ToolInput extends CommandInput {
  /**
   * The configuration and the plugins of the site, none of them set up. Problems of the configuration are in
   * `config.problems`. @throws ERR_PLUGIN_…, ERR_CONFIG_ROOT.
   */
  inspect(options?: InspectOptions): Promise<LoadedSite>;
  /** Sets the site up in production mode, without some of its plugins; the caller starts and closes it. */
  boot(options?: LeaveOut): Promise<Site>;
}

/** Shared by the commands of one run. */
export interface CliContext {
  firstParty: FirstParty;
  out: Output;
}
