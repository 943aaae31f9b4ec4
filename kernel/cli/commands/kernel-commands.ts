import type { Command } from "../../contracts.js";
import type { FirstParty } from "../../boot/load-site.js";
import { reloadCommand } from "../reload/reload-command.js";
import { configCommands } from "./config-commands.js";
import { explainErrorCommand } from "./explain-error.js";

/** The commands of the kernel, except those that serve. */
export function kernelCommands(firstParty: FirstParty): Command[] {
  return [...configCommands(firstParty), explainErrorCommand(firstParty), reloadCommand];
}
