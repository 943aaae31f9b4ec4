import path from "node:path";
import { formatKey, type KeyPath, nearest } from "#lib/values";
import type { SiteError } from "#lib/errors";
import type { PluginEntry } from "../../contracts.js";
import { locate } from "../layers.js";
import type { ConfigProblem } from "../problem.js";
import type { ConfigFiles } from "../parse-files.js";
import { nameOfSource } from "./edit-plugins.js";
import {
  readConfigured,
  withSource,
  type LocatedPluginEntry,
  type Reading,
} from "./read-plugin-entries.js";

export type { LocatedPluginEntry } from "./read-plugin-entries.js";

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

/** A plugin that failed to load, as a problem at its line. */
// oxlint-disable-next-line max-params -- the files, one of their entries, and its error
export function loadProblem(
  files: ConfigFiles,
  entry: PluginEntry & { path?: KeyPath | null },
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
    const known = configured.find((entry) => labels(entry).includes(text));
    if (known) return { ...known, enabled: true };
    const found = withSource({ enabled: true, path: null }, { text }, { ...reading, problems: [] });
    if (found) return found;
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
  return [...(name === undefined ? [] : [name]), src, stemOf(src)];
}

function stemOf(src: string): string {
  if (src.startsWith("npm:")) return src.slice(4).replace(/@[^@/]*$/, "");
  return src.startsWith("./") ? path.parse(src).name : nameOfSource(src);
}
