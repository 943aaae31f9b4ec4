import type { Output } from "../contracts.js";
import type { House } from "../load-site.js";

/** What the commands of one run share. */
export interface CliContext {
  house: House;
  out: Output;
}
