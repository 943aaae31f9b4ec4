import { type KeyPath, nearest } from "#lib/values";
import { satisfies } from "#lib/versions";
import { SiteError } from "#lib/errors";
import { realInside, safeJoin } from "#lib/files";
import type { LocatedPluginEntry } from "../config/plugins/plugin-entries.js";
import { factoryBlock } from "../config/plugins/plugin-configs.js";
import type { Env, Modules, Plugin, PluginEntry } from "../contracts.js";
import { pluginProblem } from "../declarations.js";
import { assertPlugin, PLUGIN_API_VERSION } from "../plugin.js";
import { formatPosition, placeOf } from "#lib/modules";
import type { AcceptPackage, LoadedPackages } from "#lib/packages";

/** A first-party plugin: its name, and a function that loads its module. */
export interface FirstPartyPlugin {
  name: string;
  load(): Promise<Plugin>;
}
/** A plugin with its origin. */
export interface LoadedPlugin {
  plugin: Plugin;
  firstParty: boolean;
  /** The `src` of its entry; null for first-party plugins and those given as objects. */
  src: string | null;
  /** The `config:` block of its entry. */
  config: Record<string, unknown>;
  /** Path of its entry in the configuration; null: it has none. */
  path: KeyPath | null;
  /** True for a first-party plugin that is on because nothing says otherwise. */
  isDefault: boolean;
}
/** Options of loading. */
export interface LoadOptions {
  root: string;
  modules: Modules;
  env: Env;
  firstParty: readonly FirstPartyPlugin[];
  /** Names disabled in the configuration: never added by `requires`. */
  disabled: readonly string[];
  /** True when the entries were selected for this run (`--plugins`). */
  isSelected: boolean;
  /** Default: this is the first site of the process. */
  loadedPackages?: LoadedPackages | undefined;
  /** Called for each package, before its code is loaded. */
  acceptPackage?: AcceptPackage | undefined;
  /** Receives the error of an entry that cannot be loaded; without it the first one is thrown. */
  onFailure?: ((entry: PluginEntry, error: SiteError) => void) | undefined;
}

/** Loads the modules of the entries, and of the first-party plugins that they require. */
export async function loadPlugins(
  entries: readonly LocatedPluginEntry[],
  options: LoadOptions,
): Promise<LoadedPlugin[]> {
  const loaded = await Promise.all(
    entries.filter(({ enabled }) => enabled).map((entry) => tryEntry(entry, options)),
  );
  const usable = loaded.filter((one) => one !== null);
  await addRequired(usable, options);
  for (const { plugin } of usable) assertApi(plugin);
  return usable;
}

async function tryEntry(
  entry: LocatedPluginEntry,
  options: LoadOptions,
): Promise<LoadedPlugin | null> {
  try {
    return await loadEntry(entry, options);
  } catch (error) {
    if (options.onFailure === undefined || !(error instanceof SiteError)) throw error;
    options.onFailure(entry, error);
    return null;
  }
}

async function loadEntry(entry: LocatedPluginEntry, options: LoadOptions): Promise<LoadedPlugin> {
  const config = entry.config ?? {};
  const path = entry.path ?? null;
  if (entry.src !== undefined) {
    return { ...(await loadSource(entry.src, config, options)), path, isDefault: false };
  }
  const name = entry.name ?? "";
  const listed = options.firstParty.find((plugin) => plugin.name === name);
  if (listed) {
    const isDefault = path === null && !options.isSelected;
    return { plugin: await listed.load(), firstParty: true, src: null, config, path, isDefault };
  }
  const names = options.firstParty.map((plugin) => plugin.name);
  const hint = nearest(name, names);
  throw new SiteError(
    "ERR_PLUGIN_UNKNOWN",
    `no first-party plugin is named ${JSON.stringify(name)}`,
    {
      fix: hint
        ? `did you mean "${hint}"?`
        : "add a src to the entry: ./plugins/… or npm:name@^1.0.0",
    },
  );
}

/** Adds the plugins that the selection requires, breadth first. */
async function addRequired(loaded: LoadedPlugin[], options: LoadOptions): Promise<void> {
  const names = new Set(loaded.map(({ plugin }) => plugin.name));
  for (const { plugin } of loaded) {
    for (const name of plugin.requires ?? []) {
      const required = options.firstParty.find((candidate) => candidate.name === name);
      if (names.has(name) || !required || options.disabled.includes(name)) continue;
      names.add(name);
      // The list grows during the loop: an added plugin may require more.
      const plugin = await required.load();
      loaded.push({
        plugin,
        firstParty: true,
        src: null,
        config: {},
        path: null,
        isDefault: true,
      });
    }
  }
}

async function loadSource(
  src: string,
  config: Record<string, unknown>,
  options: LoadOptions,
): Promise<Omit<LoadedPlugin, "path" | "isDefault">> {
  const file = await resolveSource(src, options);
  const module = await importModule(src, file, options.modules);
  const block = factoryBlock(module["config"], config, options.env);
  return { plugin: await readPlugin(module, block, src), firstParty: false, src, config };
}

/**
 * The plugin that a module exports; a factory is called with its block.
 * @throws ERR_PLUGIN_INVALID naming the missing part.
 */
export async function readPlugin(
  module: Record<string, unknown>,
  config: Record<string, unknown>,
  src: string,
): Promise<Plugin> {
  // Without a default export, the loader returns the module itself as default.
  const exported = module["plugin"] ?? module["default"];
  const value: unknown = typeof exported === "function" ? await exported(config) : exported;
  const plugin = withConfigSchema(value, module["config"]);
  if (value === undefined || (value === module && pluginProblem(value) !== null)) {
    const names = Object.keys(module).join(", ") || "nothing";
    throw new SiteError("ERR_PLUGIN_INVALID", `${src}: the module has no default export`, {
      fix: `export default definePlugin({ name, version, … }); it exports ${names}`,
    });
  }
  assertPlugin(plugin, src);
  return plugin;
}

/** A factory's module may export the schema of its block beside the factory. */
function withConfigSchema(value: unknown, schema: unknown): unknown {
  if (typeof value !== "object" || value === null || schema === undefined) return value;
  return "config" in value ? value : { ...value, config: schema };
}

async function resolveSource(
  src: string,
  { root, loadedPackages = new Map(), acceptPackage }: LoadOptions,
): Promise<string> {
  if (src.startsWith("./")) {
    const joined = safeJoin(root, src.slice(2));
    const real = joined === null ? null : await realInside(root, joined);
    if (real !== null) return real;
    throw new SiteError("ERR_PLUGIN_LOAD", `plugin ${src}: file not found in the site root`, {
      fix: "use the path of a file below the site root, with its extension",
    });
  }
  const { resolvePackage } = await import("#lib/packages");
  return resolvePackage(src, { root, loaded: loadedPackages, accept: acceptPackage });
}

async function importModule(
  src: string,
  file: string,
  modules: Modules,
): Promise<Record<string, unknown>> {
  try {
    return await modules.load(file);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = placeOf(error);
    const at = position === null ? "" : formatPosition(position);
    // The message of a parser ends with its position.
    const where = message.includes(at) ? "" : ` at ${at}`;
    const text = `plugin ${src} could not be loaded: ${message}${where}`;
    throw new SiteError("ERR_PLUGIN_LOAD", text, {
      cause: error,
      fix: "fix the file, or remove the plugin from plugins",
    });
  }
}

/** @throws ERR_PLUGIN_ENGINE for a plugin of another version of the API. */
export function assertApi(plugin: Plugin): void {
  const range = plugin.engine;
  if (range === undefined || satisfies(PLUGIN_API_VERSION, range)) return;
  throw new SiteError(
    "ERR_PLUGIN_ENGINE",
    `plugin "${plugin.name}" needs plugin API ${JSON.stringify(range)}, this is ${PLUGIN_API_VERSION}`,
    { fix: "install a version of the plugin for this API" },
  );
}
