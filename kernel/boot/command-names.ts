import { SiteError } from "#lib/errors";
import type { Command } from "../contracts.js";

/** The commands that no plugin declares; `site --help` lists them in every folder. */
export const KERNEL_COMMANDS: readonly string[] = ["help", "serve"];

/** A plugin and its commands. */
export interface NamedCommands {
  readonly plugin: string;
  readonly firstParty: boolean;
  /** The `src` of its entry; null for first-party plugins and those given as objects. */
  readonly src: string | null;
  readonly commands: readonly Pick<Command, "name">[];
}

/** A command whose name another one has. */
export interface CommandClash {
  readonly plugin: string;
  /** Index in the list of the plugin, which may load another one each time. */
  readonly at: number;
  /** ERR_COMMAND_DUPLICATE, naming both owners. */
  readonly error: SiteError;
}

/**
 * The commands whose names are taken, in plugin order: a name belongs to the first plugin that declares it, and
 * those of first-party plugins come first.
 * `tools`: first-party plugins whose commands every site has, selected or not.
 */
export function commandClashes(
  plugins: readonly NamedCommands[],
  tools: readonly Pick<NamedCommands, "plugin" | "commands">[],
): readonly CommandClash[] {
  const owners = new Map(KERNEL_COMMANDS.map((name) => [name, "the kernel"]));
  const selected = new Set(plugins.map(({ plugin }) => plugin));
  for (const { plugin, commands } of tools) {
    if (selected.has(plugin)) continue;
    for (const { name } of commands) owners.set(name, `plugin "${plugin}"`);
  }
  const ordered = plugins.toSorted((a, b) => Number(b.firstParty) - Number(a.firstParty));
  return ordered.flatMap(({ plugin, src, commands }) => {
    const owner = `plugin "${plugin}"`;
    const who = src === null ? owner : `${owner} (${src})`;
    return commands.flatMap((command, at) => {
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
              { fix: `rename it, for example to ${freeName(plugin, command.name, owners)}` },
            );
      return [{ plugin, at, error }];
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
