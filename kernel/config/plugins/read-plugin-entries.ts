import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { formatKey, type KeyPath, nearest, isRecord } from "#lib/values";
import type { PluginEntry } from "../../contracts.js";
import { locate } from "../layers.js";
import type { ConfigProblem } from "../problem.js";
import type { ConfigFiles } from "../parse-files.js";
import { parseSpecifier } from "./specifier.js";

/** A selected plugin, and its path in the configuration; null when it is not configured. */
export interface LocatedPluginEntry extends PluginEntry {
  readonly path: KeyPath | null;
}
/** Where entries come from, and where their problems go. */
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
  const entry = { ...blockOf(value), path: at };
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
  const entry = { ...blockOf(block), name, path: at };
  if (typeof src === "string") return withSource(entry, { text: src, key: "src" }, reading);
  return withSource(entry, { text: name }, reading);
}

function blockOf(value: Record<string, unknown>): PluginEntry {
  const { config, enabled } = value;
  return { enabled: enabled !== false, ...(isRecord(config) ? { config } : {}) };
}

/** The entry with the plugin that `text` names: first-party, a file, a package. Null after a problem. */
export function withSource(
  entry: LocatedPluginEntry,
  { text, key }: { text: string; key?: string },
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
  const layers = reading.files.layers.filter((layer) => layer.target === "site");
  const { file, line, column, path: full } = locate(layers, "site", at);
  reading.problems.push({ file, line, column, key: formatKey(full), ...what });
}
