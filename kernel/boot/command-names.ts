import type { Plugin } from "../contracts.js";
import { SiteError } from "../errors.js";
import type { LoadedPlugin } from "./load-plugins.js";

/** The commands that no plugin declares; `site --help` lists them in every folder. */
export const KERNEL_COMMANDS: readonly string[] = [
  "config:show",
  "config:validate",
  "dev",
  "doctor",
  "errors:explain",
  "help",
  "plugins:bisect",
  "plugins:explain",
  "plugins:probe",
  "plugins:test",
  "reload",
  "schema:export",
  "serve",
];

/**
 * Checks that each command belongs to one plugin. `tools`: first-party plugins whose commands every site
 * has, selected or not.
 * @throws ERR_COMMAND_DUPLICATE naming both owners.
 */
export function assertCommandNames(
  plugins: readonly LoadedPlugin[],
  tools: readonly Plugin[],
): void {
  const owners = new Map(KERNEL_COMMANDS.map((name) => [name, "the kernel"]));
  const selected = new Set(plugins.map(({ plugin }) => plugin.name));
  for (const { name: plugin, commands = [] } of tools) {
    if (selected.has(plugin)) continue;
    for (const { name } of commands) owners.set(name, `plugin "${plugin}"`);
  }
  for (const { plugin, src } of plugins) {
    for (const { name } of plugin.commands ?? []) {
      const other = owners.get(name);
      if (other !== undefined) throw duplicate({ plugin: plugin.name, src, command: name, other });
      owners.set(name, `plugin "${plugin.name}"`);
    }
  }
}

interface Duplicate {
  readonly plugin: string;
  readonly src: string | null;
  readonly command: string;
  /** The owner of the command: a plugin or the kernel. */
  readonly other: string;
}

function duplicate({ plugin, src, command, other }: Duplicate): SiteError {
  const from = src === null ? "" : ` (${src})`;
  return new SiteError(
    "ERR_COMMAND_DUPLICATE",
    `plugin "${plugin}"${from} declares the command ${JSON.stringify(command)}, which ${other} has`,
    { fix: `rename it, for example to ${plugin}:${command}` },
  );
}
