import { resolve } from "node:path";
import { processEnv } from "../../config/environment/env.js";
import type { Command, Plugin } from "../../contracts.js";
import { inspectSite, type FirstParty } from "../../boot/load-site.js";

/**
 * The commands of the site's plugins and the first-party tools; without a readable site only those of
 * first-party plugins, so that `--help` and `new` work anywhere, and so do the commands that fix it.
 */
export async function pluginCommands(
  firstParty: FirstParty,
  argv: readonly string[],
): Promise<PluginCommands> {
  const { plugins, failure } = await pluginsOf(firstParty, rootOf(argv));
  // By code units: the first use of a collation costs more than all commands.
  const commands = plugins
    .flatMap((plugin) => plugin.commands ?? [])
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { commands, failure };
}

/** The commands of plugins. */
export interface PluginCommands {
  readonly commands: readonly Command[];
  /** Why those of the site's own plugins are missing; null: they are not. */
  readonly failure: unknown;
}

async function pluginsOf(
  firstParty: FirstParty,
  root: string,
): Promise<{ plugins: readonly Plugin[]; failure: unknown }> {
  try {
    const { plugins } = await inspectSite(root, { firstParty, env: processEnv() });
    const selected = new Set(plugins.map(({ plugin }) => plugin.name));
    const tools = firstParty.plugins.filter(
      ({ name }) => firstParty.tools?.includes(name) === true && !selected.has(name),
    );
    const unselected = await Promise.all(tools.map(({ load }) => load()));
    return { plugins: [...plugins.map(({ plugin }) => plugin), ...unselected], failure: null };
  } catch (failure) {
    // The command that needs the site reports its problems.
    return { plugins: await Promise.all(firstParty.plugins.map(({ load }) => load())), failure };
  }
}

/** `--root` is needed before the commands are registered. */
function rootOf(argv: readonly string[]): string {
  const at = argv.findIndex((word) => word === "--root" || word.startsWith("--root="));
  const word = argv[at];
  if (word === undefined) return resolve(".");
  return resolve(word.includes("=") ? word.slice("--root=".length) : (argv[at + 1] ?? "."));
}
