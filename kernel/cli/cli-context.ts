import type { Output } from "../contracts.js";
import type { FirstParty } from "../boot/load-site.js";

/** Shared by the commands of one run. */
export interface CliContext {
  firstParty: FirstParty;
  out: Output;
}
