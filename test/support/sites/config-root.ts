// A folder with configuration files, and the resulting configuration.
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createEnv } from "../../../kernel/config/env.js";
import { pluginEntries } from "../../../kernel/config/plugins/plugin-entries.js";
import { readConfigFiles } from "../../../kernel/config/read-files.js";
import { resolveConfig, type ResolvedConfig } from "../../../kernel/config/resolve-config.js";
import type { ConfigProblem } from "../../../kernel/config/problem.js";
import type { Plugin } from "../../../kernel/contracts.js";
import { repository } from "../repository.js";

/** Relative path to text or bytes. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A temporary folder with these files. */
export async function makeRoot(files: Files): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "site-config-"));
  for (const [file, data] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), data);
  }
  return root;
}

/** Runs `work` on a temporary folder, then deletes it. */
export async function withRoot<T>(files: Files, work: (root: string) => Promise<T>): Promise<T> {
  const root = await makeRoot(files);
  try {
    return await work(root);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Options of `loadConfig`. */
export interface LoadOptions {
  env?: Readonly<Record<string, string | undefined>>;
  plugins?: readonly Plugin[];
  unselected?: readonly Plugin[];
  leftOut?: readonly string[];
  overrides?: { site?: object; system?: object; admin?: object };
}

/** Loads the configuration of a temporary folder; plugins: the given ones, else none. */
export function loadConfig(files: Files, options: LoadOptions = {}): Promise<ResolvedConfig> {
  const { plugins = [], env = {}, ...rest } = options;
  return withRoot(files, async (root) => {
    const environment = createEnv(env);
    const read = await readConfigFiles(root, environment);
    const selection = pluginEntries(
      read,
      plugins.map(({ name }) => name),
    );
    const entries = new Map(
      selection.entries.flatMap(({ name, config }) => (name && config ? [[name, config]] : [])),
    );
    return resolveConfig(read, plugins, {
      env: environment,
      entries,
      earlier: selection.problems,
      ...rest,
    });
  });
}

/** `file:line:column key` of each problem, in order. */
export function places(problems: readonly ConfigProblem[]): string[] {
  return problems.map(({ file, line, column, key }) => `${file}:${line}:${column} ${key}`);
}

/** The settings of every first-party plugin, as plugins without any other part. */
export async function settingsPlugins(): Promise<Plugin[]> {
  const folder = join(repository, "plugins");
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "settings.ts")));
  return Promise.all(
    names.map(async (name) => {
      const module: Pick<Plugin, "settings"> = await import(`../../../plugins/${name}/settings.js`);
      return { name, version: "1.0.0", settings: module.settings ?? {} };
    }),
  );
}
