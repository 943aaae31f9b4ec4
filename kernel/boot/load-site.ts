import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError, type ConfigProblem } from "../config/problem.js";
import {
  loadProblem,
  pluginEntries,
  type PluginSelection,
} from "../config/plugins/plugin-entries.js";
import { parseConfigFiles, type ConfigFiles, type FileText } from "../config/parse-files.js";
import { readConfigFiles } from "../config/read-files.js";
import { resolveConfig, type ResolvedConfig } from "../config/resolve-config.js";
import { ConfigFileWriter } from "../config/config-writer.js";
import type {
  Command,
  ConfigFile,
  ConfigIssue,
  Env,
  Paths,
  Plugin,
  PluginEntry,
  Settings,
  SiteConfigFiles,
  SitePurpose,
  SiteRecipe,
} from "../contracts.js";
import { assertPlugin, commandsOf } from "../plugin.js";
import { ModuleLoader } from "#lib/modules";
import type { AcceptPackage, LoadedPackages } from "#lib/packages";
import {
  assertApi,
  loadPlugins,
  type FirstPartyPlugin,
  type LoadedPlugin,
} from "./load-plugins.js";
import { commandClashes, type CommandClash, type NamedCommands } from "./command-names.js";
import { orderPlugins } from "./order-plugins.js";
import { workerEntry } from "./worker-entry.js";
import {
  leaveOut,
  withoutTheirKeys,
  type LeaveOut,
  withoutDisabled,
  type Dependent,
  withoutServing,
} from "./left-out-plugins.js";

/** What the command line shows of a plugin. */
export interface PluginOutline {
  readonly name: string;
  readonly requires: readonly string[];
  readonly commands: readonly Omit<Command, "run">[];
}

/** The first-party plugins of the program; the kernel itself names none. */
export interface FirstParty {
  plugins: readonly FirstPartyPlugin[];
  /** Modules that user code finds under a name (`sitewright`, `sitewright/theme`): the running instances. */
  sharedModules: Readonly<Record<string, () => Promise<Record<string, unknown>>>>;
  /**
   * The commands of the plugins as the build wrote them, for the command line, which then loads only the plugin
   * of the command that runs; null or absent: it loads all plugins.
   */
  outlines?: () => readonly PluginOutline[] | null;
  /** Plugins whose commands are available in every site, selected or not: those that repair a site. */
  tools?: readonly string[];
  /**
   * Steps before the configuration of a site is read, one after the other, whichever plugins are selected; `root` is
   * absolute. An error stops the start.
   */
  beforeConfig?: readonly ((root: string) => Promise<void>)[];
  /** Checks each package of a plugin before its code is loaded, whichever plugins are selected. */
  acceptPackage?: AcceptPackage;
  /**
   * The module that exports it as `firstParty`, which worker threads import: its URL, or its path below the package
   * without extension (`plugins/main`).
   */
  module: string;
}
/** Options that select a site's configuration and plugins. */
export interface LoadSiteOptions extends LeaveOut {
  /** The plugins that may be named without `src`, and the modules for user code. */
  firstParty: FirstParty;
  env: Env;
  /** First-party names to select for this run (`--plugins`); with what they require. */
  selection?: readonly string[];
  /** Configuration to start with in place of the files on the disk; null or absent: the files. */
  configTexts?: readonly FileText[] | null;
  /** Settings that override the files (`--port` and the like). */
  overrides?: { [F in ConfigFile]?: Record<string, unknown> };
  /** Plugins given as objects, after the selected ones. */
  extraPlugins?: readonly Plugin[];
  /** `config:` blocks of those plugins, by name. */
  extraConfigs?: Readonly<Record<string, Record<string, unknown>>>;
  /** Packages that this process has loaded; default: none. */
  loadedPackages?: LoadedPackages;
  /** Default `serve`; `export` leaves out the plugins that only a server needs. */
  purpose?: SitePurpose;
  /**
   * True for `config:validate`: a plugin that fails to load becomes a problem like the others, and
   * plugins also check the site's folder.
   */
  validates?: boolean;
  /** Receives each command whose name is taken; without it the error of the first one is thrown. */
  onClash?: (clash: CommandClash) => void;
}
/** Options of a command that examines a site. */
export interface InspectOptions extends Pick<
  LoadSiteOptions,
  "safe" | "validates" | "onClash" | "purpose"
> {
  /** The mode whose overlays apply; default: the mode of the process. */
  mode?: Env["mode"] | undefined;
}
/** A site after the first four steps: no plugin is set up yet. */
export interface LoadedSite {
  root: string;
  paths: Paths;
  files: ConfigFiles;
  config: ResolvedConfig;
  settings: Settings;
  pluginConfigs: ReadonlyMap<string, unknown>;
  plugins: readonly LoadedPlugin[];
  modules: ModuleLoader;
  /** Absolute files of the site root that its plugins were loaded from. */
  sources: readonly string[];
  env: Env;
  purpose: SitePurpose;
  /** `plugins`, and those left out of an export: their hooks may have listeners. */
  enabled: readonly LoadedPlugin[];
  /** Plugins of the configuration that were left out, by `src` or by name. */
  off: readonly string[];
  /** First-party plugins that were left out with one that they require. */
  dependents: readonly Dependent[];
  /** True when only first-party code is loaded. */
  safe: boolean;
  /** Loads it again in another thread. */
  recipe: SiteRecipe;
  configFiles: SiteConfigFiles;
}

/**
 * Steps 1 to 4: read the config files, collect the plugins, order them, validate.
 * @throws ERR_CONFIG_INVALID with every problem at once; ERR_PLUGIN_…, ERR_COMMAND_DUPLICATE.
 */
export async function loadSite(root: string, options: LoadSiteOptions): Promise<LoadedSite> {
  const inspected = await inspectSite(root, options);
  if (inspected.config.problems.length > 0) throw new ConfigError(inspected.config.problems);
  return inspected;
}

/** Like `loadSite`, but returns configuration problems in `config.problems`, for reports. */
export async function inspectSite(root: string, options: LoadSiteOptions): Promise<LoadedSite> {
  const { env } = options;
  for (const step of options.firstParty.beforeConfig ?? []) await step(root);
  const { configTexts = null } = options;
  const files =
    configTexts === null ? await readConfigFiles(root, env) : parseConfigFiles(root, configTexts);
  const firstParty = options.firstParty.plugins;
  const names = firstParty.map(({ name }) => name);
  const { selected, off } = leaveOut(pluginEntries(files, names, options.selection), options);
  const modules = createModules(root, options.firstParty);
  const failures: ConfigProblem[] = [];
  const loaded = await loadPlugins(selected.entries, {
    root,
    modules,
    env,
    firstParty,
    disabled: selected.disabled,
    isSelected: options.selection !== undefined,
    loadedPackages: options.loadedPackages,
    acceptPackage: options.firstParty.acceptPackage,
    onFailure: options.validates
      ? (...failed) => failures.push(loadProblem(files, ...failed))
      : undefined,
  });
  const { purpose = "serve" } = options;
  const switchedOn = withoutDisabled(files, [...loaded, ...extra(options)], selected.disabled);
  const enabled = switchedOn.plugins;
  const plugins = inOrder(purpose === "export" ? withoutServing(enabled) : enabled);
  const dependents = switchedOn.dependents.map(({ name }) => name);
  const others = await unselected(firstParty, enabled);
  for (const clash of await clashesOf(enabled, others, options.firstParty)) {
    if (options.onClash === undefined) throw clash.error;
    options.onClash(clash);
  }
  const resolve = resolver(options, { plugins, enabled, dependents, others });
  const resolved = resolve(files, selected);
  const unloaded = [...off, ...[...failures, ...switchedOn.problems].map(({ key }) => key)];
  const remaining = withoutTheirKeys(resolved.problems, unloaded);
  const config = { ...resolved, problems: [...failures, ...switchedOn.problems, ...remaining] };
  const { settings, pluginConfigs, schema } = config;
  const check = async (file: string, text: string): Promise<readonly ConfigIssue[]> => {
    const changed = await readConfigFiles(root, env, { file, text });
    return resolve(changed, pluginEntries(changed, names, options.selection)).problems;
  };
  return {
    root,
    paths: sitePaths(root, settings),
    files,
    config,
    settings,
    pluginConfigs,
    plugins,
    modules,
    env,
    sources: await modules.loaded(),
    purpose,
    enabled,
    off,
    dependents: switchedOn.dependents,
    safe: options.safe === true,
    recipe: {
      root,
      firstParty: moduleUrl(options.firstParty),
      purpose,
      ...(options.overrides && { overrides: options.overrides }),
    },
    configFiles: Object.assign(new ConfigFileWriter(root, check), { schema, check }),
  };
}

function moduleUrl({ module }: FirstParty): string {
  return URL.canParse(module) ? module : pathToFileURL(workerEntry(module).file).href;
}

interface ChosenPlugins {
  /** Those that run. */
  readonly plugins: readonly LoadedPlugin[];
  /** Those, and the ones that this purpose leaves out. */
  readonly enabled: readonly LoadedPlugin[];
  /** Names of those that are left out with one that they require. */
  readonly dependents: readonly string[];
  /** The first-party plugins that are not selected. */
  readonly others: readonly Plugin[];
}

/**
 * Resolves files and a plugin selection against the schemas of these plugins; the keys of plugins that
 * were left out on purpose are valid.
 */
function resolver(
  options: LoadSiteOptions,
  { plugins, enabled, dependents, others }: ChosenPlugins,
) {
  const left = enabled.filter((entry) => !plugins.includes(entry)).map(({ plugin }) => plugin);
  const names = plugins.map(({ plugin }) => plugin.name);
  const hasOwnPlugins = plugins.some(({ firstParty }) => !firstParty);
  return (files: ConfigFiles, selected: PluginSelection): ResolvedConfig =>
    resolveConfig(
      files,
      plugins.map(({ plugin }) => plugin),
      {
        env: options.env,
        overrides: options.overrides ?? {},
        unselected: [...left, ...others],
        leftOut: [...selected.leftOut, ...dependents, ...left.map(({ name }) => name)],
        entries: configBlocks(selected.entries, plugins),
        earlier: selected.problems,
        place: options.validates ? { root: files.root, plugins: names, hasOwnPlugins } : undefined,
      },
    );
}

function createModules(root: string, firstParty: FirstParty): ModuleLoader {
  const modules = new ModuleLoader(root, join(root, ".dune", "cache"));
  for (const [name, load] of Object.entries(firstParty.sharedModules)) modules.provide(name, load);
  modules.provide("zod", () => import("zod"));
  return modules;
}

function extra({ extraPlugins = [], extraConfigs = {} }: LoadSiteOptions): LoadedPlugin[] {
  return extraPlugins.map((plugin, at) => {
    // Objects of tests, and of apps that embed the site, are checked like modules.
    assertPlugin(plugin, `the plugin ${at + 1} given to the site`);
    assertApi(plugin);
    const config = extraConfigs[plugin.name] ?? {};
    return { plugin, firstParty: false, src: null, config, path: null, isDefault: false };
  });
}

function inOrder(loaded: readonly LoadedPlugin[]): LoadedPlugin[] {
  const byName = new Map(loaded.map((entry) => [entry.plugin.name, entry]));
  return orderPlugins(loaded.map(({ plugin }) => plugin)).flatMap(
    (plugin) => byName.get(plugin.name) ?? [],
  );
}

/** Those of the commands of plugins that are not first-party: without any, no command is loaded. */
async function clashesOf(
  enabled: readonly LoadedPlugin[],
  others: readonly Plugin[],
  { tools = [], outlines }: FirstParty,
): Promise<readonly CommandClash[]> {
  if (enabled.every(({ plugin, firstParty }) => firstParty || !plugin.commands)) return [];
  const outlined = outlines?.() ?? [];
  const commandsIn = async (plugin: Plugin): Promise<NamedCommands["commands"]> =>
    outlined.find(({ name }) => name === plugin.name)?.commands ?? commandsOf(plugin);
  const named = enabled.map(async ({ plugin, firstParty, src }) => ({
    plugin: plugin.name,
    firstParty,
    src,
    commands: await (firstParty ? commandsIn(plugin) : commandsOf(plugin)),
  }));
  const ofTools = others
    .filter(({ name }) => tools.includes(name))
    .map(async (plugin) => ({ plugin: plugin.name, commands: await commandsIn(plugin) }));
  return commandClashes(await Promise.all(named), await Promise.all(ofTools));
}

/** First-party plugins that are not selected: their config keys are reported with the plugin's name. */
async function unselected(
  firstParty: readonly FirstPartyPlugin[],
  selected: readonly LoadedPlugin[],
): Promise<Plugin[]> {
  const names = new Set(selected.map(({ plugin }) => plugin.name));
  return Promise.all(firstParty.filter(({ name }) => !names.has(name)).map(({ load }) => load()));
}

/** The `config:` blocks by plugin name, whichever way their entry names the plugin. */
function configBlocks(
  entries: readonly PluginEntry[],
  plugins: readonly LoadedPlugin[],
): ReadonlyMap<string, Record<string, unknown>> {
  const blocks = new Map(plugins.map(({ plugin, config }) => [plugin.name, config]));
  for (const { name, config } of entries) {
    if (name !== undefined && config !== undefined) blocks.set(name, config);
  }
  return blocks;
}

/** Absolute paths of a site, from its settings. */
function sitePaths(root: string, settings: Settings): Paths {
  const { dataDir, runtimeDir } = settings.admin;
  return {
    root,
    content: join(root, readContentFolder(settings)),
    data: join(root, dataDir),
    runtime: join(root, runtimeDir),
    cache: join(root, ".dune", "cache"),
  };
}

/** `content.dir` when a plugin owns that key, else its default. */
function readContentFolder(settings: Settings): string {
  const section: unknown = "content" in settings.system ? settings.system["content"] : undefined;
  if (typeof section !== "object" || section === null || !("dir" in section)) return "content";
  return typeof section.dir === "string" ? section.dir : "content";
}
