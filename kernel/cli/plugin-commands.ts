import { resolve } from "node:path";
import type { SiteError } from "#lib/errors";
import { processEnv } from "../config/env.js";
import type { Command, Plugin } from "../contracts.js";
import type { CommandClash } from "../boot/command-names.js";
import { inspectSite, type FirstParty } from "../boot/load-site.js";

/**
 * The commands of the site's plugins and the first-party tools; without a readable site only those of
 * first-party plugins, so that `--help` and `new` work anywhere, and so do the commands that fix it. A
 * command whose name is taken is left out.
 */
export async function pluginCommands(
  firstParty: FirstParty,
  argv: readonly string[],
): Promise<PluginCommands> {
  const clashes: CommandClash[] = [];
  const { plugins, ownPlugins, failure } = await readPlugins(firstParty, readRoot(argv), clashes);
  const leftOut = new Set(clashes.map(({ command }) => command));
  // By code units: the first use of a collation costs more than all commands.
  const commands = plugins
    .flatMap((plugin) => plugin.commands ?? [])
    .filter((command) => !leftOut.has(command))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const thirdParty = plugins.filter((plugin) => ownPlugins.has(plugin.name));
  const owners = new Map(
    thirdParty.flatMap(({ name, commands: owned = [] }) => owned.map((command) => [command, name])),
  );
  return { commands, owners, clashes: clashes.map(({ error }) => error), failure };
}

/** The commands of the first-party tools, without reading the site. */
export async function toolCommands({ plugins, tools = [] }: FirstParty): Promise<Command[]> {
  const named = plugins.filter(({ name }) => tools.includes(name));
  const loaded = await Promise.all(named.map(({ load }) => load()));
  return loaded.flatMap(({ commands = [] }) => commands);
}

/** The commands of plugins. */
export interface PluginCommands {
  readonly commands: readonly Command[];
  /** Names of the site's own plugins by command. */
  readonly owners: ReadonlyMap<Command, string>;
  /** The errors of those that are left out, as their names are taken. */
  readonly clashes: readonly SiteError[];
  /** The reason why the commands of the site's own plugins are missing; null: they are not. */
  readonly failure: unknown;
}

interface FoundPlugins {
  readonly plugins: readonly Plugin[];
  /** Names of those that are not first-party. */
  readonly ownPlugins: ReadonlySet<string>;
  readonly failure: unknown;
}

async function readPlugins(
  firstParty: FirstParty,
  root: string,
  clashes: CommandClash[],
): Promise<FoundPlugins> {
  try {
    const { plugins } = await inspectSite(root, {
      firstParty,
      env: processEnv(),
      onClash: (clash) => clashes.push(clash),
    });
    const selected = new Set(plugins.map(({ plugin }) => plugin.name));
    const tools = firstParty.plugins.filter(
      ({ name }) => firstParty.tools?.includes(name) === true && !selected.has(name),
    );
    const unselected = await Promise.all(tools.map(({ load }) => load()));
    const thirdParty = plugins
      .filter((loaded) => !loaded.firstParty)
      .map(({ plugin }) => plugin.name);
    return {
      plugins: [...plugins.map(({ plugin }) => plugin), ...unselected],
      ownPlugins: new Set(thirdParty),
      failure: null,
    };
  } catch (failure) {
    // The command that needs the site reports its problems.
    const plugins = await Promise.all(firstParty.plugins.map(({ load }) => load()));
    return { plugins, ownPlugins: new Set(), failure };
  }
}

/** `--root` is needed before the commands are registered. */
function readRoot(argv: readonly string[]): string {
  const at = argv.findIndex((word) => word === "--root" || word.startsWith("--root="));
  const word = argv[at];
  if (word === undefined) return resolve(".");
  return resolve(word.includes("=") ? word.slice("--root=".length) : (argv[at + 1] ?? "."));
}
