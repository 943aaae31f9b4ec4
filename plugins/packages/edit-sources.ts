/** Edits entries of site.yaml for plugins and themes: remove, change the version, add. */
import { isRecord } from "#kernel";
import { configValues, setYamlKey, setYamlKeys } from "#lib/yaml";
import { nameOfSource } from "#lib/packages";
import { packagesError } from "./errors.js";
import type { Source } from "./sources.js";

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
export interface NewTheme {
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
