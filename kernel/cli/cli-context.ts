import type { Output } from "../contracts.js";
import type { House } from "../boot/load-site.js";

/** Shared by the commands of one run. */
export interface CliContext {
  house: House;
  out: Output;
}
