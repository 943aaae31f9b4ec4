import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SiteError } from "#lib/errors";
import { processEnv } from "../config/env.js";
import type { Command, Plugin } from "../contracts.js";
import { commandsOf } from "../plugin.js";
import type { CommandClash } from "../boot/command-names.js";
import type { FirstParty, PluginOutline } from "../boot/load-site.js";

/**
 * The commands of the site's plugins and the first-party tools; without a readable site only those of
 * first-party plugins, so that `--help` and `new` work anywhere, and so do the commands that fix it. A
 * command whose name is taken is left out.
 */
export async function pluginCommands(
  firstParty: FirstParty,
  argv: readonly string[],
): Promise<PluginCommands> {
  const root = readRoot(argv);
  const outlines = firstParty.outlines?.() ?? null;
  const names = outlines && (await firstPartyOnly(firstParty, root, outlines));
  if (outlines !== null && names !== null) {
    const { tools = [] } = firstParty;
    const shown = outlines.filter(({ name }) => names.has(name) || tools.includes(name));
    const commands = toCommands(firstParty, shown);
    return { commands: sorted(commands), owners: new Map(), clashes: [], failure: null };
  }
  const clashes: CommandClash[] = [];
  const { plugins, ownPlugins, failure } = await readPlugins(firstParty, root, clashes);
  const leftOut = new Set(clashes.map(({ plugin, at }) => `${plugin} ${at}`));
  const owners = new Map<Command, string>();
  const commands: Command[] = [];
  for (const plugin of plugins) {
    for (const [at, command] of (await commandsOf(plugin)).entries()) {
      if (ownPlugins.has(plugin.name)) owners.set(command, plugin.name);
      if (!leftOut.has(`${plugin.name} ${at}`)) commands.push(command);
    }
  }
  return {
    commands: sorted(commands),
    owners,
    clashes: clashes.map(({ error }) => error),
    failure,
  };
}

/** By code units: the first use of a collation costs more than all commands. */
function sorted(commands: readonly Command[]): Command[] {
  return commands.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The commands of outlines; one that runs loads its plugin. */
function toCommands(firstParty: FirstParty, outlines: readonly PluginOutline[]): Command[] {
  return outlines.flatMap((outline) =>
    outline.commands.map((command) => ({
      ...command,
      run: async (input) => {
        const plugin = await firstParty.plugins.find(({ name }) => name === outline.name)?.load();
        const commands = plugin === undefined ? [] : await commandsOf(plugin);
        const loaded = commands.find(({ name }) => name === command.name);
        if (loaded !== undefined) return loaded.run(input);
        throw new SiteError("ERR_COMMAND_FAILED", `the build has no command ${command.name}`, {
          fix: "build again: npm run build",
        });
      },
    })),
  );
}

/**
 * The names of the selected plugins when all of them are first-party; null when the site has others, or its
 * configuration cannot be read.
 */
async function firstPartyOnly(
  firstParty: FirstParty,
  root: string,
  outlines: readonly PluginOutline[],
): Promise<ReadonlySet<string> | null> {
  const all = firstParty.plugins.map(({ name }) => name);
  try {
    const env = processEnv();
    if (!mayNamePlugins(root, env.mode)) return new Set(all);
    const { readConfigFiles } = await import("../config/read-files.js");
    const { pluginEntries } = await import("../config/plugins/plugin-entries.js");
    const { entries, disabled, problems } = pluginEntries(await readConfigFiles(root, env), all);
    const enabled = entries.filter((entry) => entry.enabled);
    const isOwn = ({ name = "", src }: (typeof enabled)[number]): boolean =>
      src === undefined && all.includes(name);
    if (problems.length > 0 || !enabled.every(isOwn)) return null;
    const names = new Set(enabled.map(({ name = "" }) => name));
    // The set grows during the loop: an added plugin may require more.
    for (const name of names) {
      const requires = outlines.find((outline) => outline.name === name)?.requires ?? [];
      for (const required of requires) if (!disabled.includes(required)) names.add(required);
    }
    return names;
  } catch {
    // The command that needs the site reports its problems.
    return null;
  }
}

/** True when a file of the configuration has the word `plugins`; parsing YAML costs more than the help. */
function mayNamePlugins(root: string, mode: string): boolean {
  const overlay = join("env", mode);
  return ["", "config", overlay, join("config", overlay)].some((folder) =>
    yamlNames(join(root, folder), folder === "").some((name) =>
      readFileSync(join(root, folder, name), "utf8").includes("plugins"),
    ),
  );
}

/** @throws an error of the system for a root that cannot be read. */
function yamlNames(folder: string, isRoot: boolean): string[] {
  try {
    return readdirSync(folder).filter((name) => /^(?:site|system|admin)\.ya?ml$/i.test(name));
  } catch (error) {
    if (isRoot) throw error;
    return [];
  }
}

/** The commands of the first-party tools, without reading the site. */
export async function toolCommands(firstParty: FirstParty): Promise<Command[]> {
  const { plugins, tools = [], outlines } = firstParty;
  const outlined = outlines?.() ?? null;
  if (outlined !== null) {
    return toCommands(
      firstParty,
      outlined.filter(({ name }) => tools.includes(name)),
    );
  }
  const named = plugins.filter(({ name }) => tools.includes(name));
  const lists = await Promise.all(named.map(async ({ load }) => commandsOf(await load())));
  return lists.flat();
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
    const { inspectSite } = await import("../boot/load-site.js");
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
