import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import type { PluginEntry } from "../contracts.js";
import { nearest } from "../nearest.js";
import { isRecord, locate } from "./layers.js";
import { formatKey } from "./problem.js";
import type { ConfigProblem, KeyPath } from "./problem.js";
import type { ConfigFiles } from "./read-files.js";
import { parseSpecifier } from "./specifier.js";

/** A selected plugin, and where the configuration names it; null when it does not. */
export interface LocatedPluginEntry extends PluginEntry {
  readonly path: KeyPath | null;
}
/** Which plugins the site uses. */
export interface PluginSelection {
  /** Selected ones. A first-party plugin has a `name` and no `src`; another one a `src`, maybe a `name`. */
  readonly entries: readonly LocatedPluginEntry[];
  /** True when first-party plugins were chosen by name: what they require comes on top. */
  readonly explicit: boolean;
  /** First-party plugins that somebody switched off: by `enabled: false`, or by not naming them in `--plugins`. */
  readonly disabled: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

interface Reading {
  files: ConfigFiles;
  firstParty: readonly string[];
  problems: ConfigProblem[];
}

/** Reads the `plugins:` selection, or the one of `--plugins`. Nothing is imported; what may not be is a problem. */
export function pluginEntries(
  files: ConfigFiles,
  firstParty: readonly string[],
  selection?: readonly string[],
): PluginSelection {
  const reading: Reading = { files, firstParty, problems: [] };
  const configured = readConfigured(reading);
  const entries = selection ? select(configured, selection, reading) : withDefaults(configured, reading);
  const chosen = new Set(entries.map((entry) => entry.name));
  const switchedOff = configured.filter((entry) => !entry.enabled).flatMap((entry) => entry.name ?? []);
  return {
    entries,
    explicit: selection !== undefined || namesFirstParty(configured, files),
    disabled: firstParty.filter((name) => !chosen.has(name) && (selection !== undefined || switchedOff.includes(name))),
    problems: reading.problems,
  };
}

function readConfigured(reading: Reading): LocatedPluginEntry[] {
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
  if (typeof value === "string") return withSource({ enabled: true, path: at }, value, reading);
  if (!isRecord(value)) return null;
  const { src, name } = value;
  const entry = { ...blockOf(value), path: at };
  if (typeof src === "string") return withSource(typeof name === "string" ? { ...entry, name } : entry, src, reading, "src");
  if (typeof name === "string") return withSource(entry, name, reading, "name");
  report(reading, at, { received: undefined, expected: "`src`", fix: "add `src: ./plugins/name.ts`, `src: npm:name@^1.0.0` or the name of a first-party plugin" });
  return null;
}

function readNamed(name: string, value: unknown, reading: Reading): LocatedPluginEntry | null {
  const at = ["plugins", name];
  const block = isRecord(value) ? value : { enabled: value !== false };
  const { src } = block;
  const entry = { ...blockOf(block), name, path: at };
  if (typeof src === "string") return withSource(entry, src, reading, "src");
  return withSource(entry, name, reading);
}

function blockOf(value: Record<string, unknown>): PluginEntry {
  const { config, enabled } = value;
  return { enabled: enabled !== false, ...(isRecord(config) ? { config } : {}) };
}

/** The entry with what `text` names: a first-party plugin, a file, a package. Null after a problem. */
function withSource(entry: LocatedPluginEntry, text: string, reading: Reading, key?: string): LocatedPluginEntry | null {
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
    const fix = meant ? `did you mean "${meant}"?` : "give it a `src`: `./plugins/name.ts` or `npm:name@^1.0.0`";
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
  if (!existsSync(file)) return { expected: "a file or folder that exists", fix: "correct the path; it starts at the site root" };
  const inside = path.relative(realpathSync(root), realpathSync(file));
  if (inside !== "" && !inside.startsWith("..") && !path.isAbsolute(inside)) return null;
  return { expected: "a path in the site root", fix: "copy what the link leads to into the site" };
}

/** A list that names first-party plugins selects exactly those. */
function namesFirstParty(configured: readonly LocatedPluginEntry[], files: ConfigFiles): boolean {
  return Array.isArray(files.plugins) && configured.some((entry) => entry.enabled && entry.src === undefined);
}

function withDefaults(configured: readonly LocatedPluginEntry[], reading: Reading): LocatedPluginEntry[] {
  const enabled = configured.filter((entry) => entry.enabled);
  if (namesFirstParty(configured, reading.files)) return enabled;
  const named = new Set(configured.map((entry) => entry.name));
  const others = reading.firstParty.filter((name) => !named.has(name));
  return [...others.map((name) => ({ name, enabled: true, path: null })), ...enabled];
}

function select(configured: readonly LocatedPluginEntry[], selection: readonly string[], reading: Reading): LocatedPluginEntry[] {
  return selection.flatMap((text) => {
    const known = configured.find((entry) => labels(entry).includes(text));
    if (known) return { ...known, enabled: true };
    const found = withSource({ enabled: true, path: null }, text, { ...reading, problems: [] });
    if (found) return found;
    const meant = nearest(text, [...reading.firstParty, ...configured.flatMap(labels)]);
    const fix = meant ? `did you mean "${meant}"?` : "see `site plugins` for the names, or add it to `plugins:`";
    reading.problems.push({ file: "command line", line: 1, column: 1, key: "--plugins", received: text, expected: "the name of a plugin", fix });
    return [];
  });
}

/** What `--plugins` may call an entry: its name, its source, the file's or package's name. */
function labels({ name, src }: LocatedPluginEntry): string[] {
  if (src === undefined) return name === undefined ? [] : [name];
  const stem = src.startsWith("npm:") ? src.slice(4).replace(/@[^@/]*$/, "") : path.parse(src).name;
  return [...(name === undefined ? [] : [name]), src, stem];
}

function report(reading: Reading, at: KeyPath, what: Pick<ConfigProblem, "received" | "expected" | "fix">): void {
  const layers = reading.files.layers.filter((layer) => layer.target === "site");
  const { file, line, column, path: full } = locate(layers, "site", at);
  reading.problems.push({ file, line, column, key: formatKey(full), ...what });
}
