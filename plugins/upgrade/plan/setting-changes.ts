/** What changes about the configuration keys of a site. */
import { isRecord } from "#kernel";
import type { ConfigFile } from "#kernel/internal";
import type { Finding } from "./finding.js";
import type { SiteUsage } from "./site-usage.js";
import type { ContractSetting, VersionContract } from "./version-contract.js";

const FILES: readonly ConfigFile[] = ["site", "system", "admin"];

/** The two versions that are compared. */
export interface Versions {
  readonly from: VersionContract;
  readonly to: VersionContract;
}
type Path = readonly (string | number)[];

/** Keys that the site sets and that change, defaults it relies on, and new keys. */
export function settingChanges(versions: Versions, usage: SiteUsage): Finding[] {
  return FILES.flatMap((file) => {
    const set = leaves(usage.config[file]);
    return [
      ...set.flatMap((path) => changeOf(versions, file, path)),
      ...defaultChanges(versions, { file, set, usage }),
      ...newKeys(versions, { file, usage }),
    ];
  });
}

/** A key that the site sets. Keys of its own plugins are in no contract. */
function changeOf({ from, to }: Versions, file: ConfigFile, path: Path): Finding[] {
  const before = rowFor(from.settings[file], path);
  if (before === null) return [];
  const name = `${file}.${shown(path)}`;
  const usedIn = [`${file}.yaml: ${shown(path)}`];
  const migration = to.migrations.find(({ keys }) => keys.includes(`${file}.${before.key}`));
  if (migration !== undefined) {
    const message = `${migration.summary} (done by --apply)`;
    return [{ level: "info", kind: "migration", name, message, usedIn, fix: null }];
  }
  const after = rowFor(to.settings[file], path);
  if (after === null) {
    const message = `the key ${name} no longer exists`;
    const fix = `remove it from ${file}.yaml`;
    return [{ level: "error", kind: "setting", name, message, usedIn, fix }];
  }
  if (after.type === before.type) return [];
  const message = `${name} takes ${plain(after.type)}, before: ${plain(before.type)}`;
  const fix = `check its value in ${file}.yaml`;
  return [{ level: "warning", kind: "setting", name, message, usedIn, fix }];
}

interface FileUsage {
  readonly file: ConfigFile;
  readonly usage: SiteUsage;
}

function defaultChanges(
  { from, to }: Versions,
  { file, set, usage }: FileUsage & { set: readonly Path[] },
): Finding[] {
  const after = new Map(to.settings[file].map((row) => [row.key, row]));
  return from.settings[file].flatMap((row): Finding[] => {
    const next = after.get(row.key);
    if (next === undefined || next.default === row.default || !isActive(usage, row)) return [];
    if (set.some((path) => rowFor([row], path) !== null)) return [];
    const name = `${file}.${row.key}`;
    const message = `the default of ${name} changes from ${row.default ?? "none"} to ${next.default ?? "none"}`;
    const fix = `set it in ${file}.yaml to keep the former value`;
    return [{ level: "warning", kind: "setting", name, message, usedIn: [], fix }];
  });
}

function newKeys({ from, to }: Versions, { file, usage }: FileUsage): Finding[] {
  const before = new Set(from.settings[file].map(({ key }) => key));
  return to.settings[file].flatMap((row): Finding[] => {
    if (before.has(row.key) || !isActive(usage, row)) return [];
    const name = `${file}.${row.key}`;
    const message = `new key ${name} (${plain(row.type)}, default: ${row.default ?? "none"})`;
    return [{ level: "info", kind: "setting", name, message, usedIn: [], fix: null }];
  });
}

function isActive({ plugins }: SiteUsage, { owner }: ContractSetting): boolean {
  return owner === "kernel" || plugins.some(({ name }) => name === owner);
}

/** The row that describes a path, also one of a map or list without keys of its own. */
function rowFor(rows: readonly ContractSetting[], path: Path): ContractSetting | null {
  return rows.find(({ key }) => isBelow(path, partsOf(key))) ?? null;
}

function isBelow(path: Path, pattern: readonly string[]): boolean {
  if (path.length < pattern.length) return false;
  return pattern.every((part, at) => {
    const own = path[at];
    if (part === "[]") return typeof own === "number";
    return part.startsWith("<") ? typeof own === "string" : part === own;
  });
}

/** `a.b[].<name>.c` as `a`, `b`, `[]`, `<name>`, `c`. */
function partsOf(key: string): string[] {
  return key.replaceAll("[]", ".[]").split(".");
}

function leaves(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item: unknown, at) => leaves(item, [...path, at]));
  }
  if (isRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item]) => leaves(item, [...path, key]));
  }
  return path.length === 0 ? [] : [path];
}

function shown(path: Path): string {
  return path
    .map((part, at) => (typeof part === "number" ? `[${part}]` : `${at === 0 ? "" : "."}${part}`))
    .join("");
}

function plain(type: string): string {
  return type.replaceAll("`", "");
}
