/** The commands that add, remove and update plugins and themes. */
import { type Command, type CommandInput, ConfigFileWriter, readRawConfig } from "#kernel";
import {
  addPluginEntry,
  nameOfSource,
  installedVersion,
  readInstalled,
  lockProblem,
  readSiteLock,
  type InstalledRecord,
  type SiteLock,
} from "#lib/packages";
import { satisfies } from "#lib/versions";
import {
  findSource,
  listSources,
  type Source,
  packageName,
  listPackages,
  addTheme,
  removeSource,
  replaceSource,
} from "../sources.js";
import { packagesError } from "../errors.js";
import { synchronise, type Workshop } from "../synchronise.js";
import { openWorkshop, parseSource } from "../command-input.js";
import { chooseVersion, rangeFor } from "../choose-version.js";
import { JSON_OPTION, printSync } from "./lockfile.js";

/** `plugin:add <source>`: installs it, pins it, adds it to site.yaml. None of its code runs. */
export const addPluginCommand: Command = {
  name: "plugin:add",
  summary:
    "add a plugin from npm, a tarball or git: install it, pin it in site.lock, add it to site.yaml",
  arguments: "<source>",
  options: [JSON_OPTION],
  run: (input) => add(input, { kind: "plugin", edit: addPluginEntry }),
};

/** `theme:add <source>`. */
export const addThemeCommand: Command = {
  name: "theme:add",
  summary:
    "add a theme from npm, a tarball or git: install it, pin it in site.lock, add it to site.yaml",
  arguments: "<source>",
  options: [
    ["--name <name>", "name of the theme in site.yaml"],
    ["--use", "make it the active theme"],
    JSON_OPTION,
  ],
  run: (input) => {
    const { name, use } = input.options;
    const chosen = { ...(typeof name === "string" && { name }), use: use === true };
    return add(input, { kind: "theme", edit: (text, src) => addTheme(text, { src, ...chosen }) });
  },
};

interface Addition {
  kind: Source["kind"];
  edit(text: string, src: string): string;
}

async function add(input: CommandInput, { kind, edit }: Addition): Promise<number> {
  const workshop = await openWorkshop(input);
  const src = await parseSource(input.args[0] ?? "", workshop, kind);
  const isThere = assertNew(workshop, { kind, src });
  const writer = new ConfigFileWriter(input.root);
  // Check that it can be written before anything is installed.
  if (!isThere) edit((await writer.read("site")).text, src);
  const config = isThere ? workshop.config : withSource(workshop, { kind, src });
  const result = await synchronise({ ...workshop, config });
  if (result.blocked.length > 0) return printSync(input, result);
  if (!isThere) await writer.edit("site", ({ text }) => edit(text, src));
  const isNamed = listSources(await readRawConfig(input.root)).some((source) => source.src === src);
  if (!isNamed) {
    input.out.error("site.yaml lists it, but an overlay in env/ overrides site.yaml");
  }
  return printSync(
    input,
    result,
    `${src} ${isThere ? "was already listed" : "is listed in site.yaml"}`,
  );
}

/** True when it is already listed. @throws ERR_PACKAGE_ENTRY for another version of it. */
function assertNew({ config }: Workshop, { kind, src }: Pick<Source, "kind" | "src">): boolean {
  const [added] = listSources({ site: { plugins: [src] } });
  const listed = listSources(config).filter((source) => source.kind === kind);
  if (listed.some((source) => source.src === src && source.enabled)) return true;
  const other = listed.find((source) => source.src === src || isSamePackage(source, added));
  if (other === undefined) return false;
  const how = other.enabled ? `as ${other.src}` : "but disabled";
  throw packagesError(
    "ERR_PACKAGE_ENTRY",
    `${other.name} is already listed ${how}`,
    fixFor(other, added),
  );
}

/** An archive is named after its package: `file:./vendor/name-1.0.0.tgz`, `git+https://host/name.git`. */
function isSamePackage({ npm, archive, src }: Source, added: Source | undefined): boolean {
  if (added === undefined) return false;
  if (npm !== null && added.npm !== null) return npm.name === added.npm.name;
  const isArchive = archive !== null || added.archive !== null;
  const isPackage = npm !== null || archive !== null;
  return isArchive && isPackage && nameOfSource(src) === nameOfSource(added.src);
}

function fixFor(other: Source, added: Source | undefined): string {
  if (!other.enabled) return "remove `enabled: false`";
  const isNewer = other.npm !== null && added?.npm !== null;
  return isNewer
    ? `run site plugin:update ${other.name} --latest`
    : `run site ${other.kind}:remove ${other.name} first`;
}

function withSource(
  { config: { site } }: Workshop,
  { kind, src }: Pick<Source, "kind" | "src">,
): Workshop["config"] {
  const { plugins, themes } = site;
  if (kind === "theme") {
    return { site: { ...site, themes: [...(Array.isArray(themes) ? themes : []), { src }] } };
  }
  if (Array.isArray(plugins)) return { site: { ...site, plugins: [...plugins, { src }] } };
  return { site: { ...site, plugins: { ...Object(plugins), [src]: { src } } } };
}

/** `plugin:remove <name>`: removes it from site.yaml, site.lock and node_modules. */
export const removePluginCommand: Command = {
  name: "plugin:remove",
  summary: "remove a plugin from site.yaml, site.lock and node_modules",
  arguments: "<name>",
  options: [JSON_OPTION],
  run: (input) => remove(input, "plugin"),
};

/** `theme:remove <name>`. */
export const removeThemeCommand: Command = {
  name: "theme:remove",
  summary: "remove a theme from site.yaml, site.lock and node_modules",
  arguments: "<name>",
  options: [JSON_OPTION],
  run: (input) => remove(input, "theme"),
};

async function remove(input: CommandInput, kind: Source["kind"]): Promise<number> {
  const workshop = await openWorkshop(input);
  const source = findSource(listSources(workshop.config), input.args[0] ?? "", kind);
  const installed = await readInstalled(input.root);
  const name = packageName(source, installed);
  const writer = new ConfigFileWriter(input.root);
  await writer.edit("site", ({ text }) => removeSource(text, source));
  const config = await readRawConfig(input.root);
  const isUsed = listSources(config).some((other) => packageName(other, installed) === name);
  if (name !== null && !isUsed && installed !== null && installedVersion(installed, name)) {
    await workshop.npm.uninstall([name]);
  }
  const result = await synchronise({ ...workshop, config });
  return printSync(input, result, `${source.src} is removed from site.yaml`);
}

/** `plugin:update [names…]`: the newest versions in their ranges, or of all with `--latest`. */
export const updateCommand: Command = {
  name: "plugin:update",
  summary: "update plugins and themes to the newest version in their range, or of all (--latest)",
  arguments: "[names...]",
  options: [["--latest", "ignore the range and write the new one to site.yaml"], JSON_OPTION],
  run: update,
};

async function update(input: CommandInput): Promise<number> {
  const workshop = await openWorkshop(input);
  const sources = listSources(workshop.config);
  const named = input.args.map((name) => findSource(sources, name));
  const archive = named.find((source) => source.archive !== null);
  if (archive !== undefined) throw noUpdate(archive);
  const chosen = named.map(({ src }) => src);
  const ranges = listPackages(workshop.config).map(({ src }) => src);
  const isMeant = (src: string): boolean =>
    chosen.length === 0 ? ranges.includes(src) : chosen.includes(src);
  if (input.options["latest"] !== true) {
    return printSync(input, await synchronise(workshop, { upgrade: isMeant }));
  }
  const moved = await newRanges(workshop, isMeant);
  const rewrite = (text: string): string => {
    return [...moved].reduce((now, [from, to]) => replaceSource(now, from, to), text);
  };
  const config = { site: renamed(workshop.config.site, moved) };
  const news = new Set([...moved].map(([, to]) => to));
  const result = await synchronise(
    { ...workshop, config },
    { upgrade: (src) => news.has(src) || isMeant(src) },
  );
  if (result.blocked.length === 0 && moved.size > 0) {
    await new ConfigFileWriter(input.root).edit("site", ({ text }) => rewrite(text));
  }
  return printSync(input, result);
}

/** A tarball and a commit have no range. */
function noUpdate({ name, src }: Source) {
  return packagesError(
    "ERR_PACKAGE_ENTRY",
    `${name} comes from ${src}, which has no newer version`,
    `run site plugin:remove ${name}, then site plugin:add with the new tarball or commit`,
  );
}

/** Specifiers whose newest version is outside of their range, mapped to new specifiers. */
async function newRanges(
  { config, npm, age, now }: Workshop,
  isMeant: (src: string) => boolean,
): Promise<Map<string, string>> {
  const moved = new Map<string, string>();
  for (const { src, npm: spec } of listPackages(config).filter((one) => isMeant(one.src))) {
    const { name, range } = spec;
    const version = chooseVersion(await npm.published(name), { range: "*", age, now });
    const next = `npm:${name}@${rangeFor(range, version)}`;
    if (next !== src) moved.set(src, next);
  }
  return moved;
}

/** The same values with the specifiers replaced. */
function renamed(
  site: Readonly<Record<string, unknown>>,
  moved: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const { plugins, theme, themes } = site;
  const text = JSON.stringify({ plugins, theme, themes });
  const swap = (_: string, value: unknown): unknown =>
    typeof value === "string" ? (moved.get(value) ?? value) : value;
  return { ...site, ...Object(JSON.parse(text, swap)) };
}

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
  const items = listSources(await readRawConfig(root)).map((source) =>
    toRow(source, lock, installed),
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

function toRow(source: Source, lock: SiteLock | null, installed: InstalledRecord | null): Row {
  const { kind, name, src, enabled } = source;
  const packaged = packageName(source, installed);
  const isKnown = packaged !== null && installed !== null;
  const version = isKnown ? installedVersion(installed, packaged) : null;
  const key = lock?.specifiers[src];
  const locked = key === undefined ? null : key.slice(key.lastIndexOf("@") + 1);
  const state = compareState(source, version, lock, installed);
  return { kind, name, src, enabled, installed: version, locked, state };
}

function compareState(
  { enabled, npm, archive, src }: Source,
  version: string | null,
  lock: SiteLock | null,
  installed: InstalledRecord | null,
): Row["state"] {
  if (!enabled) return "off";
  if (npm === null && archive === null) return "ok";
  if (version === null) return "missing";
  if (npm !== null && !satisfies(version, npm.range)) return "outside range";
  return lock !== null && lockProblem(lock, installed, src) !== null ? "drift" : "ok";
}
