/** `plugin:list`: what the configuration names, and how it stands. */
import { type Command, type CommandInput, readRawConfig } from "#kernel";
import { satisfies } from "#lib/versions";
import {
  installedVersion,
  lockProblem,
  readInstalled,
  readSiteLock,
  type InstalledRecord,
  type SiteLock,
} from "#lib/packages";
import { packageName, sourcesOf, type Source } from "../sources.js";
import { JSON_OPTION } from "./lockfile.js";

/** A plugin or theme with its state. */
interface Row {
  kind: Source["kind"];
  name: string;
  src: string;
  enabled: boolean;
  /** For a package: the version in node_modules and the pinned one. */
  installed: string | null;
  locked: string | null;
  state: "ok" | "off" | "missing" | "outside range" | "drift";
}

/** `plugin:list`. */
export const listCommand: Command = {
  name: "plugin:list",
  summary: "list the configured plugins and themes with their versions",
  options: [JSON_OPTION],
  run: list,
};

async function list({ root, out, options }: CommandInput): Promise<void> {
  const [lock, installed] = [await readSiteLock(root), await readInstalled(root)];
  const items = sourcesOf(await readRawConfig(root)).map((source) =>
    rowOf(source, lock, installed),
  );
  if (options["json"] === true) {
    out.json({ items });
    return;
  }
  for (const { kind, name, src, installed: version, state } of items) {
    const shown = state === "ok" ? out.colour.green(state) : out.colour.yellow(state);
    const from = src === name ? "first-party" : src;
    out.line([kind, out.colour.bold(name), from, version ?? "", shown].filter(Boolean).join("  "));
  }
  if (items.length === 0) out.line("no plugins are configured: all first-party plugins are on");
}

function rowOf(source: Source, lock: SiteLock | null, installed: InstalledRecord | null): Row {
  const { kind, name, src, enabled } = source;
  const packaged = packageName(source, installed);
  const isKnown = packaged !== null && installed !== null;
  const found = isKnown ? installedVersion(installed, packaged) : null;
  const key = lock?.specifiers[src];
  const locked = key === undefined ? null : key.slice(key.lastIndexOf("@") + 1);
  const state = stateOf(source, found, lock, installed);
  return { kind, name, src, enabled, installed: found, locked, state };
}

function stateOf(
  { enabled, npm, archive, src }: Source,
  found: string | null,
  lock: SiteLock | null,
  installed: InstalledRecord | null,
): Row["state"] {
  if (!enabled) return "off";
  if (npm === null && archive === null) return "ok";
  if (found === null) return "missing";
  if (npm !== null && !satisfies(found, npm.range)) return "outside range";
  return lock !== null && lockProblem(lock, installed, src) !== null ? "drift" : "ok";
}
