import type { Command } from "../../contracts.js";
import type { FirstParty } from "../../boot/load-site.js";
import { reloadCommand } from "../reload/reload-command.js";
import { configCommands } from "./config-commands.js";
import { doctorCommand } from "./doctor-command.js";
import { insightCommands } from "./insight-commands.js";

/** The commands of the kernel, except those that serve. */
export function kernelCommands(firstParty: FirstParty): Command[] {
  return [
    ...configCommands(firstParty),
    doctorCommand(firstParty),
    ...insightCommands(firstParty),
    reloadCommand,
  ];
}
