/** The changes of an upgrade that concern a site: its configuration, plugins, themes and clients. */
import { z } from "zod";
import { type ConfigFile, isRecord } from "#kernel";
import { type SiteUsage, mentions, quotes } from "./site-usage.js";
import type { ContractSetting, VersionContract, ContractRoute } from "./version-contract.js";

const FILES: readonly ConfigFile[] = ["site", "system", "admin"];

/** A change of an upgrade that concerns a site. */
export const findingShape = z.object({
  /**
   * `error`: the site does not start, or loses something, until it is adapted; `warning`: look at it;
   * `info`: nothing to do.
   */
  level: z.enum(["error", "warning", "info"]),
  kind: z.enum([
    "node",
    "plugin",
    "hook",
    "service",
    "slot",
    "setting",
    "route",
    "command",
    "template",
    "export",
    "migration",
    "deprecation",
  ]),
  /** The hook, key, route … */
  name: z.string(),
  message: z.string(),
  /** Files and keys of the site that use it. */
  usedIn: z.array(z.string()),
  fix: z.string().nullable(),
});
export type Finding = z.output<typeof findingShape>;

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
      ...set.flatMap((path) => compareKey(versions, file, path)),
      ...defaultChanges(versions, file, set, usage),
      ...newKeys(versions, file, usage),
    ];
  });
}

/** A key that the site sets. Keys of its own plugins are in no contract. */
function compareKey({ from, to }: Versions, file: ConfigFile, path: Path): Finding[] {
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

function defaultChanges(
  { from, to }: Versions,
  file: ConfigFile,
  set: readonly Path[],
  usage: SiteUsage,
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

function newKeys({ from, to }: Versions, file: ConfigFile, usage: SiteUsage): Finding[] {
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
  return rows.find(({ key }) => isBelow(path, key.replaceAll("[]", ".[]").split("."))) ?? null;
}

function isBelow(path: Path, pattern: readonly string[]): boolean {
  if (path.length < pattern.length) return false;
  return pattern.every((part, at) => {
    const key = path[at];
    if (part === "[]") return typeof key === "number";
    return part.startsWith("<") ? typeof key === "string" : part === key;
  });
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

/** Hooks that the site's plugins handle or fire, and that vanish or change. */
export function hookChanges({ from, to }: Versions, usage: SiteUsage): Finding[] {
  return Object.entries(from.hooks).flatMap(([name, before]): Finding[] => {
    const after = to.hooks[name];
    const isSame = after?.kind === before.kind && after.payload === before.payload;
    const usedIn = isSame ? [] : usersOfHook(usage, name);
    if (usedIn.length === 0) return [];
    const base = { kind: "hook", name, usedIn } as const;
    if (after === undefined) {
      const message = `the hook ${name} no longer exists`;
      return [{ ...base, level: "error", message, fix: "remove its handlers" }];
    }
    if (after.kind !== before.kind) {
      const message = `the hook ${name} becomes a ${after.kind} hook, before: ${before.kind}`;
      return [{ ...base, level: "error", message, fix: "adapt its handlers" }];
    }
    const message = `the payload of ${name} becomes ${after.payload}, before: ${before.payload}`;
    return [{ ...base, level: "warning", message, fix: "check its handlers" }];
  });
}

function usersOfHook(usage: SiteUsage, name: string): string[] {
  const handling = usage.plugins.filter(
    (plugin) => !plugin.firstParty && plugin.hooks.includes(name),
  );
  const files = mentions(usage, name);
  const others = handling.filter(({ src }) => !files.some((file) => src === `./${file}`));
  return [...files, ...others.map((plugin) => `plugin ${plugin.name}`)];
}

/** Services and slots that the site's code names, and that vanish or lose members. */
export function serviceChanges({ from, to }: Versions, usage: SiteUsage): Finding[] {
  return (["service", "slot"] as const).flatMap((kind) => {
    const [before, after] =
      kind === "service" ? [from.services, to.services] : [from.slots, to.slots];
    return Object.entries(before).flatMap(([name, { members }]): Finding[] => {
      const next = after[name];
      const lost = members.filter((member) => next?.members.includes(member) === false);
      if (next !== undefined && lost.length === 0) return [];
      const usedIn = quotes(usage, name);
      if (usedIn.length === 0) return [];
      const base = { kind, name, usedIn } as const;
      if (next === undefined) {
        const message = `the ${kind} ${name} no longer exists`;
        return [{ ...base, level: "error", message, fix: "remove its uses" }];
      }
      const message = `the ${kind} ${name} loses ${lost.join(", ")}`;
      return [{ ...base, level: "warning", message, fix: "check its uses" }];
    });
  });
}

/** Routes of the site's plugins that vanish or lose parameters: their clients may be anywhere. */
export function routeChanges({ from, to }: Versions, usage: SiteUsage): Finding[] {
  const active = new Set(usage.plugins.map(({ name }) => name));
  return from.routes
    .filter(({ owner }) => active.has(owner))
    .flatMap((before): Finding[] => {
      const name = formatRoute(before);
      const after = to.routes.find((route) => formatRoute(route) === name);
      const lost = before.parameters.filter((one) => after?.parameters.includes(one) === false);
      if (after !== undefined && lost.length === 0) return [];
      const [fixed = before.path] = before.path.split(/[:*]/);
      const usedIn = [...usage.code].flatMap(([file, text]) =>
        text.includes(fixed) ? [file] : [],
      );
      const message =
        after === undefined
          ? `the route ${name} no longer exists`
          : `the route ${name} no longer takes ${lost.join(", ")}`;
      const fix = "adapt the clients that call it";
      return [{ level: "warning", kind: "route", name, message, usedIn, fix }];
    });
}

function formatRoute({ method, path }: ContractRoute): string {
  return `${method.toUpperCase()} ${path}`;
}

/** Commands that vanish or lose options: scripts and timers may call them. */
export function commandChanges({ from, to }: Versions): Finding[] {
  return Object.entries(from.commands).flatMap(([name, before]): Finding[] => {
    const after = to.commands[name];
    const lost = before.options.filter((flags) => after?.options.includes(flags) === false);
    if (after !== undefined && lost.length === 0) return [];
    const message =
      after === undefined
        ? `the command site ${name} no longer exists`
        : `the command site ${name} no longer takes ${lost.join(", ")}`;
    const fix = "adapt the scripts and timers that run it";
    return [{ level: "warning", kind: "command", name, message, usedIn: [], fix }];
  });
}

/** Templates of the default theme that the site's themes replace, and that no longer exist. */
export function templateChanges({ from, to }: Versions, usage: SiteUsage): Finding[] {
  return from.templates
    .filter((name) => !to.templates.includes(name))
    .flatMap((name): Finding[] => {
      const usedIn = [...usage.code.keys()].filter((file) =>
        file.endsWith(`/templates/${name}.tsx`),
      );
      const message = `the default theme no longer has the template ${name}`;
      const fix = "check whether the site still needs its own";
      return usedIn.length === 0
        ? []
        : [{ level: "warning", kind: "template", name, message, usedIn, fix }];
    });
}

/** Names that the site's code imports from a module of the package, and that no longer exist. */
export function exportChanges({ from, to }: Versions, usage: SiteUsage): Finding[] {
  return Object.entries(from.exports).flatMap(([address, names]) => {
    const importing = new Set(quotes(usage, address));
    if (importing.size === 0) return [];
    const lost = names.filter((name) => to.exports[address]?.includes(name) !== true);
    return lost.flatMap((name): Finding[] => {
      const usedIn = mentions(usage, name).filter((file) => importing.has(file));
      const message = `${address} no longer exports ${name}`;
      return usedIn.length === 0
        ? []
        : [{ level: "error", kind: "export", name, message, usedIn, fix: "remove its imports" }];
    });
  });
}
