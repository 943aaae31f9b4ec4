import path from "node:path";
import { existsSync, realpathSync } from "node:fs";
import { formatKey, type KeyPath, nearest, isRecord } from "#lib/values";
import type { SiteError } from "#lib/errors";
import { nameOfSource, parseSpecifier } from "#lib/packages";
import type { PluginEntry } from "../../contracts.js";
import { locate } from "../layers.js";
import type { ConfigProblem } from "../problem.js";
import type { ConfigFiles } from "../parse-files.js";

/** The selected plugins. */
export interface PluginSelection {
  /** A first-party plugin has a `name` and no `src`; another one a `src` and perhaps a `name`. */
  readonly entries: readonly LocatedPluginEntry[];
  /** True when first-party plugins were selected by name: the ones they require are added. */
  readonly explicit: boolean;
  /** First-party plugins with `enabled: false`: not even added when required. */
  readonly disabled: readonly string[];
  /** These, and those that `--plugins` leaves out: their keys in the files are valid. */
  readonly leftOut: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads the selection from `plugins:` or `--plugins`. Imports nothing; invalid entries become problems. */
export function pluginEntries(
  files: ConfigFiles,
  firstParty: readonly string[],
  selection?: readonly string[],
): PluginSelection {
  const reading: Reading = { files, firstParty, problems: [] };
  const configured = readConfigured(reading);
  const entries = selection
    ? select(configured, selection, reading)
    : withDefaults(configured, reading);
  const chosen = new Set(entries.map((entry) => entry.name));
  const switchedOff = configured
    .filter((entry) => !entry.enabled)
    .flatMap((entry) => entry.name ?? []);
  const others = firstParty.filter((name) => !chosen.has(name));
  return {
    entries,
    explicit: selection !== undefined || namesFirstParty(configured, files),
    disabled: others.filter((name) => switchedOff.includes(name)),
    leftOut: others.filter((name) => selection !== undefined || switchedOff.includes(name)),
    problems: reading.problems,
  };
}

/** An entry whose plugin failed to load. */
export interface FailedEntry extends PluginEntry {
  /** Its place in the configuration; null or absent: it has none. */
  readonly path?: KeyPath | null;
}

/** A plugin that failed to load, as a problem at its line. */
export function loadProblem(
  files: ConfigFiles,
  entry: FailedEntry,
  error: SiteError,
): ConfigProblem {
  return pluginProblemAt(files, entry.path ?? null, {
    received: entry.src ?? entry.name,
    expected: `a plugin that can be loaded (${error.message}, ${error.code})`,
    fix: error.fix ?? "correct the entry or remove it",
  });
}

/** A problem of an entry of `plugins`, at its line. */
export function pluginProblemAt(
  files: ConfigFiles,
  path: KeyPath | null,
  problem: Pick<ConfigProblem, "received" | "expected" | "fix">,
): ConfigProblem {
  const layers = files.layers.filter(({ target }) => target === "site");
  const { file, line, column, path: full } = locate(layers, "site", path ?? ["plugins"]);
  return { ...problem, file, line, column, key: formatKey(full) };
}

/** A list that names first-party plugins selects exactly those. */
function namesFirstParty(configured: readonly LocatedPluginEntry[], files: ConfigFiles): boolean {
  return (
    Array.isArray(files.plugins) &&
    configured.some((entry) => entry.enabled && entry.src === undefined)
  );
}

function withDefaults(
  configured: readonly LocatedPluginEntry[],
  reading: Reading,
): LocatedPluginEntry[] {
  const enabled = configured.filter((entry) => entry.enabled);
  if (namesFirstParty(configured, reading.files)) return enabled;
  const named = new Set(configured.map((entry) => entry.name));
  const others = reading.firstParty.filter((name) => !named.has(name));
  return [...others.map((name) => ({ name, enabled: true, path: null })), ...enabled];
}

function select(
  configured: readonly LocatedPluginEntry[],
  selection: readonly string[],
  reading: Reading,
): LocatedPluginEntry[] {
  return selection.flatMap((text) => {
    const entry = configured.find((entry) => labels(entry).includes(text));
    if (entry) return { ...entry, enabled: true };
    const unconfigured = withSource(
      { enabled: true, path: null },
      { text },
      { ...reading, problems: [] },
    );
    if (unconfigured) return unconfigured;
    const meant = nearest(text, [...reading.firstParty, ...configured.flatMap(labels)]);
    const fix = meant
      ? `did you mean "${meant}"?`
      : "site --help lists no plugin of this name: add it to `plugins:` with a src";
    reading.problems.push({
      file: "command line",
      line: 1,
      column: 1,
      key: "--plugins",
      received: text,
      expected: "the name of a plugin",
      fix,
    });
    return [];
  });
}

/** The names by which `--plugins` may select an entry: its name, its source, the file's or package's name. */
function labels({ name, src }: LocatedPluginEntry): string[] {
  if (src === undefined) return name === undefined ? [] : [name];
  return [...(name === undefined ? [] : [name]), src, readStem(src)];
}

function readStem(src: string): string {
  if (src.startsWith("npm:")) return src.slice(4).replace(/@[^@/]*$/, "");
  return src.startsWith("./") ? path.parse(src).name : nameOfSource(src);
}

/** A selected plugin, and its path in the configuration; null when it is not configured. */
export interface LocatedPluginEntry extends PluginEntry {
  readonly path: KeyPath | null;
}
/** The source of entries, and the list that receives their problems. */
export interface Reading {
  files: ConfigFiles;
  firstParty: readonly string[];
  problems: ConfigProblem[];
}

/** The valid entries of `plugins:`; an invalid one becomes a problem. */
export function readConfigured(reading: Reading): LocatedPluginEntry[] {
  const { plugins } = reading.files;
  if (plugins === undefined || plugins === null) return [];
  const raw = Array.isArray(plugins)
    ? plugins.map((value: unknown, index) => readItem(value, ["plugins", index], reading))
    : isRecord(plugins)
      ? Object.entries(plugins).map(([name, value]) => readNamed(name, value, reading))
      : [];
  return raw.filter((entry) => entry !== null);
}

function readItem(value: unknown, at: KeyPath, reading: Reading): LocatedPluginEntry | null {
  if (typeof value === "string")
    return withSource({ enabled: true, path: at }, { text: value }, reading);
  if (!isRecord(value)) return null;
  const { src, name } = value;
  const entry = { ...readBlock(value), path: at };
  if (typeof src === "string")
    return withSource(
      typeof name === "string" ? { ...entry, name } : entry,
      { text: src, key: "src" },
      reading,
    );
  if (typeof name === "string") return withSource(entry, { text: name, key: "name" }, reading);
  report(reading, at, {
    received: undefined,
    expected: "`src`",
    fix: "add `src: ./plugins/name.ts`, `src: npm:name@^1.0.0` or the name of a first-party plugin",
  });
  return null;
}

function readNamed(name: string, value: unknown, reading: Reading): LocatedPluginEntry | null {
  const at = ["plugins", name];
  const block = isRecord(value) ? value : { enabled: value !== false };
  const { src } = block;
  const entry = { ...readBlock(block), name, path: at };
  if (typeof src === "string") return withSource(entry, { text: src, key: "src" }, reading);
  return withSource(entry, { text: name }, reading);
}

function readBlock(value: Record<string, unknown>): PluginEntry {
  const { config, enabled } = value;
  return { enabled: enabled !== false, ...(isRecord(config) ? { config } : {}) };
}

/** The text that names a plugin. */
interface PluginSource {
  text: string;
  /** The key of the text, below the entry; absent: the entry is the text. */
  key?: string;
}

/** The entry with the plugin that `text` names: first-party, a file, a package. Null after a problem. */
function withSource(
  entry: LocatedPluginEntry,
  { text, key }: PluginSource,
  reading: Reading,
): LocatedPluginEntry | null {
  const at = [...(entry.path ?? ["plugins"]), ...(key === undefined ? [] : [key])];
  if (reading.firstParty.includes(text)) return { ...entry, name: entry.name ?? text };
  const parsed = parseSpecifier(text);
  if ("fault" in parsed) {
    report(reading, at, { received: text, ...parsed.fault });
    return null;
  }
  const { specifier } = parsed;
  if (specifier.kind === "name") {
    const meant = nearest(text, reading.firstParty);
    const fix = meant
      ? `did you mean "${meant}"?`
      : "give it a `src`: `./plugins/name.ts` or `npm:name@^1.0.0`";
    report(reading, at, { received: text, expected: "the name of a first-party plugin", fix });
    return null;
  }
  const fault = specifier.kind === "path" ? fileFault(reading.files.root, specifier.path) : null;
  if (fault) {
    report(reading, at, { received: text, ...fault });
    return null;
  }
  return { ...entry, src: text };
}

function fileFault(root: string, relative: string): { expected: string; fix: string } | null {
  const file = path.resolve(root, relative);
  if (!existsSync(file))
    return {
      expected: "a file or folder that exists",
      fix: "correct the path; it is relative to the site root",
    };
  const inside = path.relative(realpathSync(root), realpathSync(file));
  if (inside !== "" && !inside.startsWith("..") && !path.isAbsolute(inside)) return null;
  return { expected: "a path in the site root", fix: "copy the target of the link into the site" };
}

function report(
  reading: Reading,
  at: KeyPath,
  what: Pick<ConfigProblem, "received" | "expected" | "fix">,
): void {
  reading.problems.push(pluginProblemAt(reading.files, at, what));
}
