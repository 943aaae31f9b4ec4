import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord } from "#lib/values";
import { createEnv } from "../config/env.js";
import { factoryBlock } from "../config/plugins/plugin-configs.js";
import type { Plugin } from "../contracts.js";
import { ModuleLoader } from "#lib/modules";
import { readPlugin } from "../boot/load-plugins.js";
import type { FirstParty } from "../boot/load-site.js";
import { assertPlugin } from "../plugin.js";

/**
 * A plugin of a test site: the name of a first-party plugin; a plugin object; the file that exports it
 * (a file URL, or a path from the working directory), loaded as a site would load it; or one of the
 * latter two with its `config:` block.
 */
export type PluginUnderTest =
  string | URL | Plugin | { plugin: string | URL | Plugin; config?: Record<string, unknown> };

/** The parsed list of plugins. */
export interface UnderTest {
  /** First-party; undefined: all of them. */
  selection: readonly string[] | undefined;
  thirdParty: readonly Plugin[];
  /** `config:` blocks of the third-party plugins, by name. */
  configs: Readonly<Record<string, Record<string, unknown>>>;
}

interface UnderTestOptions {
  plugins?: readonly PluginUnderTest[];
  selection?: readonly string[];
  env?: Readonly<Record<string, string | undefined>>;
}

/** Parses the list and loads plugins given as files. */
export async function loadUnderTest(
  { plugins = [], selection, env }: UnderTestOptions,
  firstParty: FirstParty,
): Promise<UnderTest> {
  const firstPartyNames = new Set(firstParty.plugins.map(({ name }) => name));
  const named = plugins.filter((item): item is string => isOf(firstPartyNames, item));
  const chosen = selection ?? (named.length === 0 ? undefined : named);
  const others = plugins.filter((item) => !isOf(firstPartyNames, item));
  const loaded = await Promise.all(others.map((item) => loadOne(item, firstParty, env)));
  const thirdParty = loaded.map(({ plugin }) => plugin);
  const required = thirdParty.flatMap(({ requires = [] }) =>
    requires.filter((at) => firstPartyNames.has(at)),
  );
  return {
    selection: chosen && [...new Set([...chosen, ...required])],
    thirdParty,
    configs: Object.fromEntries(loaded.map(({ plugin, config }) => [plugin.name, config])),
  };
}

function isOf(firstParty: ReadonlySet<string>, item: PluginUnderTest): boolean {
  return typeof item === "string" && firstParty.has(item);
}

async function loadOne(
  item: PluginUnderTest,
  firstParty: FirstParty,
  env: UnderTestOptions["env"],
) {
  const isBlock = isRecord(item) && "plugin" in item;
  const { plugin: source, config = {} } = isBlock ? item : { plugin: item };
  if (typeof source !== "string" && !(source instanceof URL)) {
    // Before the host of the tests wraps its handlers.
    assertPlugin(source, "the plugin given to the test site");
    return { plugin: source, config };
  }
  const file = toPath(source);
  const modules = new ModuleLoader(file, join(tmpdir(), "site-testing"));
  for (const [name, load] of Object.entries(firstParty.sharedModules)) modules.provide(name, load);
  modules.provide("zod", () => import("zod"));
  const module = await modules.load(file);
  const block = factoryBlock(module["config"], config, createEnv(env ?? {}));
  return { plugin: await readPlugin(module, block, file), config };
}

function toPath(source: string | URL): string {
  const isUrl = source instanceof URL || source.startsWith("file:");
  return isUrl ? fileURLToPath(source) : resolve(source);
}
