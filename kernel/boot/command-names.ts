import { SiteError } from "#lib/errors";
import type { Command, Plugin } from "../contracts.js";
import type { LoadedPlugin } from "./load-plugins.js";

/** The commands that no plugin declares; `site --help` lists them in every folder. */
export const KERNEL_COMMANDS: readonly string[] = ["help", "serve"];

/** A command whose name another one has. */
export interface CommandClash {
  readonly command: Command;
  /** ERR_COMMAND_DUPLICATE, naming both owners. */
  readonly error: SiteError;
}

/**
 * The commands whose names are taken, in plugin order: a name belongs to the first plugin that declares it, and
 * those of first-party plugins come first.
 * `tools`: first-party plugins whose commands every site has, selected or not.
 */
export function commandClashes(
  plugins: readonly LoadedPlugin[],
  tools: readonly Plugin[],
): readonly CommandClash[] {
  const owners = new Map(KERNEL_COMMANDS.map((name) => [name, "the kernel"]));
  const selected = new Set(plugins.map(({ plugin }) => plugin.name));
  for (const { name: plugin, commands = [] } of tools) {
    if (selected.has(plugin)) continue;
    for (const { name } of commands) owners.set(name, `plugin "${plugin}"`);
  }
  const ordered = plugins.toSorted((a, b) => Number(b.firstParty) - Number(a.firstParty));
  return ordered.flatMap(({ plugin, src }) => {
    const owner = `plugin "${plugin.name}"`;
    const who = src === null ? owner : `${owner} (${src})`;
    return (plugin.commands ?? []).flatMap((command) => {
      const other = owners.get(command.name);
      if (other === undefined) {
        owners.set(command.name, owner);
        return [];
      }
      const name = JSON.stringify(command.name);
      const error =
        other === owner
          ? new SiteError("ERR_COMMAND_DUPLICATE", `${who} declares the command ${name} twice`, {
              fix: "remove one of the two, or rename it",
            })
          : new SiteError(
              "ERR_COMMAND_DUPLICATE",
              `${who} declares the command ${name}, which ${other} has`,
              { fix: `rename it, for example to ${freeName(plugin.name, command.name, owners)}` },
            );
      return [{ command, error }];
    });
  });
}

/** `shop:sync`; `shop:sync-2` when that is taken. */
function freeName(plugin: string, command: string, taken: ReadonlyMap<string, string>): string {
  const name = command.startsWith(`${plugin}:`) ? command : `${plugin}:${command}`;
  if (!taken.has(name)) return name;
  let at = 2;
  while (taken.has(`${name}-${at}`)) at += 1;
  return `${name}-${at}`;
}
