/** The configured packages: from npm, from tarballs of the site, from git. */
import { isRecord, type RawConfig } from "#kernel";
import { configValues, setYamlKey, setYamlKeys } from "#lib/yaml";
import {
  installedName,
  nameOfSource,
  parseSpecifier,
  type InstalledRecord,
  type Specifier,
} from "#lib/packages";
import { packagesError } from "./errors.js";

/** A configured plugin or theme. */
export interface Source {
  kind: "plugin" | "theme";
  /** Its name in the configuration, or the one derived from its source. */
  name: string;
  /** `npm:name@range`, `file:./x.tgz`, `git+…#commit`, `./path`, or the name of a first-party plugin. */
  src: string;
  enabled: boolean;
  /** For an `npm:` source. */
  npm: { name: string; range: string } | null;
  /** For a package from a tarball or from git; its name is known once installed. */
  archive: Archive | null;
}
/** A package that does not come from a registry. */
export type Archive = Extract<Specifier, { kind: "tarball" | "git" }>;

/** Every configured plugin and theme, in order. */
export function listSources({ site }: Pick<RawConfig, "site">): Source[] {
  const { plugins, theme, themes } = site;
  const named = Array.isArray(plugins)
    ? plugins.flatMap((item: unknown) => toPlugin(undefined, item))
    : Object.entries(toMap(plugins)).flatMap(([name, item]) => toPlugin(name, item));
  const list: unknown[] = Array.isArray(themes) ? [theme, ...themes] : [theme];
  return [...named, ...list.flatMap(toTheme)];
}

/** The `npm:` sources that are in use: each specifier once. */
export function listPackages(config: Pick<RawConfig, "site">): (Source & { npm: Wanted })[] {
  return used(config).flatMap((source) =>
    source.npm === null ? [] : [{ ...source, npm: source.npm }],
  );
}

/** The tarballs and commits that are in use: each specifier once. */
export function listArchives(config: Pick<RawConfig, "site">): (Source & { archive: Archive })[] {
  return used(config).flatMap((source) =>
    source.archive === null ? [] : [{ ...source, archive: source.archive }],
  );
}

function used(config: Pick<RawConfig, "site">): Source[] {
  const enabled = listSources(config).filter((source) => source.enabled);
  const first = new Map(enabled.toReversed().map((source) => [source.src, source]));
  return enabled.filter((source) => first.get(source.src) === source);
}

/** The plugin or theme for a name, a package's name or a source. @throws ERR_PACKAGE_ENTRY. */
export function findSource(
  sources: readonly Source[],
  nameOrSource: string,
  kind?: Source["kind"],
): Source {
  const source = sources.find(
    ({ name, src, npm, kind: other }) =>
      (kind === undefined || other === kind) && [name, src, npm?.name].includes(nameOrSource),
  );
  if (source !== undefined) return source;
  const names = sources.filter((one) => kind === undefined || one.kind === kind);
  throw packagesError(
    "ERR_PACKAGE_ENTRY",
    `the configuration has no ${kind ?? "plugin or theme"} ${JSON.stringify(nameOrSource.slice(0, 120))}`,
    names.length === 0
      ? "none is configured"
      : `configured: ${names.map(({ name }) => name).join(", ")}`,
  );
}

/** The package name of a source; null if it is not a package, or unknown before installation. */
export function packageName(
  { npm, archive }: Pick<Source, "npm" | "archive">,
  installed: InstalledRecord | null,
): string | null {
  if (npm !== null) return npm.name;
  return archive === null || installed === null ? null : installedName(installed, archive);
}

type Wanted = NonNullable<Source["npm"]>;

function toPlugin(key: string | undefined, item: unknown): Source[] {
  const block = typeof item === "string" ? { src: item } : toMap(item);
  const src = toText(block["src"]) ?? toText(block["name"]) ?? key;
  if (src === undefined) return [];
  const name = key ?? toText(block["name"]) ?? nameOfSource(src);
  const enabled = block["enabled"] !== false && item !== false;
  return [{ kind: "plugin", name, src, enabled, npm: parseNpm(src), archive: parseArchive(src) }];
}

function toTheme(item: unknown): Source[] {
  const { name, src } = toMap(item);
  const text = toText(src);
  if (text === undefined) return [];
  const themeName = toText(name) ?? nameOfSource(text);
  const [npm, archive] = [parseNpm(text), parseArchive(text)];
  return [{ kind: "theme", name: themeName, src: text, enabled: true, npm, archive }];
}

function parseNpm(src: string): Wanted | null {
  const parsed = parseSpecifier(src);
  if (!("specifier" in parsed) || parsed.specifier.kind !== "npm") return null;
  return { name: parsed.specifier.name, range: parsed.specifier.range };
}

function parseArchive(src: string): Archive | null {
  const parsed = parseSpecifier(src);
  if (!("specifier" in parsed)) return null;
  const { specifier } = parsed;
  return specifier.kind === "tarball" || specifier.kind === "git" ? specifier : null;
}

function toMap(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** The text without an entry; an empty list or map is removed too. @throws ERR_PACKAGE_ENTRY. */
export function removeSource(text: string, source: Source): string {
  const values = configValues(text);
  const next =
    source.kind === "plugin"
      ? withoutPlugin(text, values.plugins, source)
      : withoutTheme(text, values, source);
  if (next !== null) return next;
  throw packagesError(
    "ERR_PACKAGE_ENTRY",
    `site.yaml has no entry for ${source.name}; an overlay in env/ has`,
    "remove it there",
  );
}

/** Null when the text has no such plugin. */
function withoutPlugin(text: string, plugins: unknown, source: Source): string | null {
  if (Array.isArray(plugins)) {
    return withoutItem(text, ["plugins"], plugins, (item) => namesPlugin(item, source));
  }
  if (!isRecord(plugins) || !Object.hasOwn(plugins, source.name)) return null;
  const isLast = Object.keys(plugins).length === 1;
  return setYamlKey(text, isLast ? ["plugins"] : ["plugins", source.name], null);
}

function withoutTheme(text: string, values: Values, { src, name }: Source): string | null {
  const isThis = (item: unknown): boolean => isRecord(item) && item.src === src;
  const { theme, themes } = values;
  const listed = Array.isArray(themes) ? withoutItem(text, ["themes"], themes, isThis) : null;
  if (listed !== null) return listed;
  if (!isRecord(theme) || !isThis(theme)) return null;
  const keys = theme.name === name ? ["src", "name"] : ["src"];
  if (Object.keys(theme).every((key) => keys.includes(key)))
    return setYamlKey(text, ["theme"], null);
  return setYamlKeys(
    text,
    keys.map((key) => ({ path: ["theme", key], value: undefined })),
  );
}

function namesPlugin(item: unknown, { src, name }: Source): boolean {
  if (!isRecord(item)) return item === src;
  return item.src === src || (!Object.hasOwn(item, "src") && item.name === name);
}

/** Null when the list has no such item. */
function withoutItem(
  text: string,
  path: readonly string[],
  list: readonly unknown[],
  isThis: (item: unknown) => boolean,
): string | null {
  const at = list.findIndex(isThis);
  if (at === -1) return null;
  return setYamlKey(text, path, list.length === 1 ? null : list.toSpliced(at, 1));
}

/** The text with one specifier replaced by another, for plugins and themes. */
export function replaceSource(text: string, from: string, to: string): string {
  const values = configValues(text);
  const sections = ["plugins", "theme", "themes"].filter((key) => Object.hasOwn(values, key));
  return setYamlKeys(
    text,
    sections.map((key) => ({ path: [key], value: replaced(values[key], from, to) })),
  );
}

function replaced(value: unknown, from: string, to: string): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((item: unknown) => replaced(item, from, to));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaced(inner, from, to)]),
  );
}

/** A theme for site.yaml. */
interface NewTheme {
  /** `npm:name@range`, `file:./x.tgz`, `git+…#commit` or `./path`. */
  readonly src: string;
  /** Default: derived from `src`. */
  readonly name?: string;
  /** True: it becomes the active theme. */
  readonly use: boolean;
}

/** The text with a theme among `themes:`, or as the active one. */
export function addTheme(text: string, { src, name, use }: NewTheme): string {
  const entry = { name: name ?? nameOfSource(src), src };
  if (use) {
    const changes = Object.entries(entry).map(([key, value]) => ({ path: ["theme", key], value }));
    return setYamlKeys(text, changes);
  }
  const { themes } = configValues(text);
  return setYamlKey(text, ["themes"], Array.isArray(themes) ? [...themes, entry] : [entry]);
}
