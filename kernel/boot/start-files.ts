import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "#lib/values";
import { pluginEntries } from "../config/plugins/plugin-entries.js";
import { readConfigFiles } from "../config/read-files.js";
import type { Env } from "../contracts.js";
import type { FirstParty } from "./load-site.js";
import { packageName } from "#lib/packages";

/** The files that decide how a site starts, beside content and themes, which the site watches itself. */
export interface StartFiles {
  /**
   * Absolute files: a change of one needs a restart. Includes what npm writes when it installs a missing
   * package.
   */
  files: readonly string[];
  /** Absolute folders: a change of a module in one needs a restart. */
  folders: readonly string[];
  /** Absolute files of packages, which a process loads once, mapped to the package name. */
  packages: ReadonlyMap<string, string>;
}

const CONFIG = ["site.yaml", "system.yaml", "admin.yaml"];
/** The files that `npm install` and then `site lockfile:sync` write last. */
const WRITTEN_LAST = [join("node_modules", ".package-lock.json"), "site.lock"];

/** Options of `startFiles`. */
export interface StartFilesOptions {
  env: Env;
  firstParty: FirstParty;
  /** Names of the plugins to select; absent: those of the configuration. */
  selection?: readonly string[];
}

/**
 * The configuration files of a site, and the plugins and packages that the configuration currently names.
 * @throws ERR_CONFIG_ROOT
 */
export async function startFiles(root: string, options: StartFilesOptions): Promise<StartFiles> {
  const read = await readConfigFiles(root, options.env);
  const names = options.firstParty.plugins.map(({ name }) => name);
  const { entries } = pluginEntries(read, names, options.selection);
  // An entry whose file does not exist is a problem; watch for its file.
  const sources = [...entries.flatMap(({ src }) => src ?? []), ...listSources(read.plugins)];
  const local = sources.filter((src) => src.startsWith("./")).map((src) => join(root, src));
  const overlay = join("env", options.env.mode);
  const config = ["", "config", overlay].flatMap((folder) =>
    CONFIG.map((name) => join(root, folder, name)),
  );
  const packages = new Map<string, string>();
  const missing: string[] = [];
  for (const src of sources.filter((one) => !one.startsWith("./"))) {
    const name = await packageName(src, root);
    const manifest = name === null ? null : join(root, "node_modules", name, "package.json");
    if (name !== null && manifest !== null && existsSync(manifest)) {
      packages.set(manifest, name);
      continue;
    }
    if (manifest !== null) missing.push(manifest);
    for (const file of WRITTEN_LAST) missing.push(join(root, file));
  }
  return {
    files: [...config, ...local, ...missing],
    folders: local.map((file) => dirname(file)).filter((folder) => folder !== root),
    packages,
  };
}

/** Every `src` in the value of `plugins:`, even of invalid entries. */
function listSources(plugins: unknown): string[] {
  if (typeof plugins !== "object" || plugins === null) return [];
  return Object.values(plugins).flatMap((entry: unknown) => {
    const src = isRecord(entry) ? entry["src"] : entry;
    return typeof src === "string" ? [src] : [];
  });
}
