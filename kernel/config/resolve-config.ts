import type * as z from "zod";
import { type KeyPath, formatKey, isRecord } from "#lib/values";
import { schemaAt } from "#lib/schema";
import type {
  ConfigFile,
  Env,
  InspectedSite,
  Plugin,
  Settings,
  SettingsProblem,
} from "../contracts.js";
import { kernelSettings } from "./kernel-settings.js";
import { findSource, type ConfigLayer, type ValueSource, locate } from "./layers.js";
import {
  configJsonSchema,
  mergeSchemas,
  type MergedSchemas,
  type SchemaOwner,
} from "./merge-schemas.js";
import { resolvePluginConfigs } from "./plugins/plugin-configs.js";
import type { ConfigProblem } from "./problem.js";
import type { ConfigFiles } from "./parse-files.js";
import { validateFile, type FileResult } from "./validate-file.js";
import { folderProblems } from "./folder-keys.js";

/** Options of `resolveConfig`. */
export interface ResolveOptions {
  env: Env;
  /** Values of CLI flags and tests; they override the files. */
  overrides?: { site?: object; system?: object; admin?: object } | undefined;
  /** First-party plugins that are not selected: their keys are reported with the plugin's name. */
  unselected?: readonly SchemaOwner[] | undefined;
  /** Names of plugins left out on purpose: their keys are warnings. */
  leftOut?: readonly string[] | undefined;
  /** Plugin name to its raw `config:` block, from `pluginEntries`. */
  entries?: ReadonlyMap<string, Record<string, unknown>> | undefined;
  /** Earlier problems (the plugin selection), to be listed with the others. */
  earlier?: readonly ConfigProblem[] | undefined;
  /** Present for `config:validate`: plugins also check the site's folder. */
  place?: InspectedSite | undefined;
}
/** The validated configuration. */
export interface ResolvedConfig {
  /** Frozen. Invalid values are replaced by their defaults. */
  readonly settings: Settings;
  /** Plugin name to its validated `config:` block. */
  readonly pluginConfigs: ReadonlyMap<string, unknown>;
  /** Ordered by file and line. */
  readonly problems: readonly ConfigProblem[];
  /** Keys of plugins that were disabled on purpose. */
  readonly warnings: readonly ConfigProblem[];
  readonly schemas: MergedSchemas;
  /** Finds where a value was set; undefined for a default. */
  readonly source: (file: ConfigFile, path: KeyPath) => ValueSource | undefined;
  /** JSON Schema (draft 2020-12) of one file. */
  readonly schema: (file: ConfigFile) => Record<string, unknown>;
}

const FILES: readonly ConfigFile[] = ["site", "system", "admin"];

/** The input of the checks. */
interface FileChecks {
  schemas: MergedSchemas;
  layersOf(file: ConfigFile): readonly ConfigLayer[];
  options: ResolveOptions;
}

/**
 * Step 4 of the boot: defaults < files < overlay < overrides (the environment wins for logging),
 * variables expanded, everything validated at once, frozen. User mistakes are in `problems`.
 * @throws ERR_CONFIG_KEY_TAKEN when two plugins declare one key.
 */
export function resolveConfig(
  files: ConfigFiles,
  plugins: readonly Plugin[],
  options: ResolveOptions,
): ResolvedConfig {
  const schemas = mergeSchemas([{ name: "kernel", settings: kernelSettings }, ...plugins]);
  const layers = [
    ...files.layers,
    ...overrideLayers(options.overrides ?? {}),
    environmentLayer(options.env),
  ];
  const layersOf = (file: ConfigFile): ConfigLayer[] =>
    layers.filter(({ target }) => target === file);
  const checks = { schemas, layersOf, options };
  const results = {
    site: validate("site", checks),
    system: validate("system", checks),
    admin: validate("admin", checks),
  };
  const settings = toSettings(results);
  const checked = runChecks(plugins, {
    root: files.root,
    schemas,
    settings,
    results,
    layersOf,
    place: options.place,
  });
  const blocks = resolvePluginConfigs(files, plugins, options);
  const all = Object.values(results);
  return {
    settings: deepFreeze(settings),
    pluginConfigs: blocks.configs,
    problems: sortProblems(
      [
        files.problems,
        options.earlier ?? [],
        whatIsLacking(
          files,
          all.flatMap(({ problems }) => problems),
        ),
        checked,
        blocks.problems,
      ].flat(),
      files.list,
    ),
    warnings: sortProblems(
      all.flatMap(({ warnings }) => warnings),
      files.list,
    ),
    schemas,
    source: (file, path) => findSource(layersOf(file), path),
    schema: schemaOnce(schemas),
  };
}

/** Reports a missing key. Skipped when the file is unreadable; if it does not exist, the fix is to create it. */
function whatIsLacking(files: ConfigFiles, problems: readonly ConfigProblem[]): ConfigProblem[] {
  const unread = new Set(files.problems.filter(({ key }) => key === "").map(({ file }) => file));
  return problems.flatMap((problem) => {
    const { file, key, received } = problem;
    if (received !== undefined) return [problem];
    if (unread.has(file)) return [];
    const fix = files.list.includes(file) ? problem.fix : `create the file with a line ${key}: …`;
    return [{ ...problem, fix }];
  });
}

/** Each file's schema is generated on first use: the startup does not need it. */
function schemaOnce(schemas: MergedSchemas): ResolvedConfig["schema"] {
  const schemasByFile = new Map<ConfigFile, Record<string, unknown>>();
  return (file) => {
    const schema = schemasByFile.get(file) ?? configJsonSchema(schemas, file);
    schemasByFile.set(file, schema);
    return schema;
  };
}

function validate(target: ConfigFile, { schemas, layersOf, options }: FileChecks): FileResult {
  const { env, unselected = [], leftOut = [] } = options;
  return validateFile({
    target,
    layers: layersOf(target),
    schema: schemas[target],
    env,
    ownerOf(path) {
      const owner = unselected.find(
        ({ settings }) => settings?.[target] && schemaAt(settings[target], path),
      );
      return owner && { plugin: owner.name, isOff: leftOut.includes(owner.name) };
    },
    homeOf: (path) => findHome(schemas, target, path),
  });
}

/** The key in another file, or a section further down: `markdown.embeds` is `content.markdown.embeds`. */
function findHome(
  schemas: Readonly<Record<ConfigFile, z.ZodObject>>,
  target: ConfigFile,
  path: KeyPath,
): { file: ConfigFile; path: KeyPath } | undefined {
  for (const file of FILES) {
    if (file !== target && schemaAt(schemas[file], path) !== undefined) return { file, path };
  }
  if (path.length < 2) return undefined;
  for (const file of FILES) {
    for (const section of Object.keys(schemas[file].shape)) {
      const below = [section, ...path];
      if (schemaAt(schemas[file], below) !== undefined) return { file, path: below };
    }
  }
  return undefined;
}

function overrideLayers(overrides: NonNullable<ResolveOptions["overrides"]>): ConfigLayer[] {
  return (["site", "system", "admin"] as const).map((target) => ({
    target,
    file: "command line",
    prefix: [],
    data: { ...overrides[target] },
    position: () => undefined,
  }));
}

/** SITE_LOG_FORMAT and SITE_LOG_LEVEL override everything else. */
function environmentLayer(env: Env): ConfigLayer {
  const variables = { format: env.get("SITE_LOG_FORMAT"), level: env.get("SITE_LOG_LEVEL") };
  const logging = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined),
  );
  const data = Object.keys(logging).length > 0 ? { logging } : {};
  return { target: "system", file: "environment", prefix: [], data, position: () => undefined };
}

function toSettings(results: Readonly<Record<ConfigFile, FileResult>>): Settings {
  const { site, system, admin } = results;
  // The schemas are merged at run time from all plugins; that they match the types in the plugins'
  // `contract.ts` is checked where each schema is written, not here.
  return {
    site: site.settings,
    system: system.settings,
    admin: admin.settings,
  } as unknown as Settings;
}

function sortProblems(
  problems: readonly ConfigProblem[],
  list: readonly string[],
): ConfigProblem[] {
  const order = [...new Set([...list, ...problems.map(({ file }) => file)])];
  return problems.toSorted(
    (a, b) =>
      order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

/** Deeply freezes and returns a value: plain objects and lists, no class instances. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
  return value;
}

/** The input of the checks. */
interface CheckInput {
  /** Absolute site root. */
  root: string;
  schemas: MergedSchemas;
  settings: Settings;
  results: Readonly<Record<ConfigFile, FileResult>>;
  layersOf(file: ConfigFile): readonly ConfigLayer[];
  /** Present for `config:validate`: also run the checks against the site's folder. */
  place?: InspectedSite | undefined;
}

/** The checks across keys, of folders and of the plugins; keys that a schema has already rejected are not reported again. */
function runChecks(plugins: readonly Plugin[], input: CheckInput): ConfigProblem[] {
  const isUsable = Object.values(input.results).every(({ isComplete }) => isComplete);
  if (!isUsable) return [];
  const { root, schemas, settings, layersOf } = input;
  const folders = folderProblems({
    root,
    schemas,
    settings,
    isSet: (file, path) => findSource(layersOf(file), path) !== undefined,
  });
  return [...folders, ...plugins.flatMap((plugin) => checksOf(plugin, input))]
    .filter(
      ({ file, key }) =>
        !input.results[file].faulty.has(splitKey(key, input.settings[file])[0]?.toString() ?? ""),
    )
    .map((problem) => placed(problem, input));
}

function checksOf(plugin: Plugin, { settings, place }: CheckInput): readonly SettingsProblem[] {
  const problems = plugin.check?.(settings) ?? [];
  return place === undefined
    ? problems
    : [...problems, ...(plugin.inspect?.(settings, place) ?? [])];
}

function placed(problem: SettingsProblem, input: CheckInput): ConfigProblem {
  const { file: target, key, place, ...text } = problem;
  if (place !== undefined) return { ...place, column: 1, key, ...text };
  const path = splitKey(key, input.settings[target]);
  const { file, line, column, path: full } = locate(input.layersOf(target), target, path);
  return { file, line, column, key: formatKey(full), ...text };
}

/** Splits `redirects./a.b` or `webhooks[0].url` into a path: keys may contain dots, so the values decide. */
export function splitKey(key: string, data: unknown): KeyPath {
  const path: (string | number)[] = [];
  let value = data;
  let rest = key;
  while (rest !== "") {
    const [part, length] = firstPart(rest, value);
    path.push(part);
    value = isRecord(value) ? value[part] : Array.isArray(value) ? value[Number(part)] : undefined;
    rest = rest.slice(length).replace(/^\./, "");
  }
  return path;
}

function firstPart(text: string, value: unknown): [part: string | number, length: number] {
  const index = /^\[(\d+)\]|^(\d+)(?=\.|$)/.exec(text);
  if (index && Array.isArray(value)) return [Number(index[1] ?? index[2]), index[0].length];
  const matching = isRecord(value)
    ? Object.keys(value).filter((name) => startsWithKey(text, name))
    : [];
  const longest = matching.toSorted((a, b) => b.length - a.length)[0];
  if (longest !== undefined) return [longest, longest.length];
  const plain = /^[^.[]+/.exec(text)?.[0] ?? text;
  return [plain, plain.length];
}

function startsWithKey(text: string, name: string): boolean {
  return name !== "" && text.startsWith(name) && /^($|[.[])/.test(text.slice(name.length));
}
