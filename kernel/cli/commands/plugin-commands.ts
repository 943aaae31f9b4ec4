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
): Promise<Command[]> {
  const plugins = await pluginsOf(firstParty, rootOf(argv));
  // By code units: the first use of a collation costs more than all commands.
  return plugins
    .flatMap(({ commands }) => commands ?? [])
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function pluginsOf(firstParty: FirstParty, root: string): Promise<readonly Plugin[]> {
  try {
    const { plugins } = await inspectSite(root, { firstParty, env: processEnv() });
    const selected = new Set(plugins.map(({ plugin }) => plugin.name));
    const tools = firstParty.plugins.filter(
      ({ name }) => firstParty.tools?.includes(name) === true && !selected.has(name),
    );
    const unselected = await Promise.all(tools.map(({ load }) => load()));
    return [...plugins.map(({ plugin }) => plugin), ...unselected];
  } catch {
    // The command that needs the site reports its problems.
    return Promise.all(firstParty.plugins.map(({ load }) => load()));
  }
}

/** `--root` is needed before the commands are registered. */
function rootOf(argv: readonly string[]): string {
  const at = argv.findIndex((word) => word === "--root" || word.startsWith("--root="));
  const word = argv[at];
  if (word === undefined) return resolve(".");
  return resolve(word.includes("=") ? word.slice("--root=".length) : (argv[at + 1] ?? "."));
}
