/** Edits entries of site.yaml for plugins and themes: remove, change the version, add. */
import { isMap, isScalar, isSeq, visit, type YAMLMap, type YAMLSeq } from "yaml";
import { formatConfig, nameOfSource, parseConfig, type YamlDocument } from "#kernel/internal";
import { packagesError } from "./errors.js";
import type { Source } from "./sources.js";

/** The text without an entry; an empty list or map is removed too. @throws ERR_PACKAGE_ENTRY. */
export function removeSource(text: string, source: Source): string {
  const document = parseConfig(text);
  const isRemoved =
    source.kind === "plugin" ? removePlugin(document, source) : removeTheme(document, source);
  if (isRemoved) return formatConfig(document, text);
  throw packagesError(
    "ERR_PACKAGE_ENTRY",
    `site.yaml has no entry for ${source.name}; an overlay in env/ has`,
    "remove it there",
  );
}

function removePlugin(document: YamlDocument, source: Source): boolean {
  const plugins: unknown = document.get("plugins");
  const isRemoved =
    (isSeq(plugins) && removeItem(plugins, (item) => namesPlugin(item, source))) ||
    (isMap(plugins) && plugins.delete(source.name));
  if (isRemoved && plugins.items.length === 0) document.delete("plugins");
  return isRemoved;
}

function removeTheme(document: YamlDocument, { src, name }: Source): boolean {
  const isThis = (item: unknown): boolean => isMap(item) && item.get("src") === src;
  const themes: unknown = document.get("themes");
  if (isSeq(themes) && removeItem(themes, isThis)) {
    if (themes.items.length === 0) document.delete("themes");
    return true;
  }
  const theme: unknown = document.get("theme");
  if (!isMap(theme) || !isThis(theme)) return false;
  theme.delete("src");
  if (theme.get("name") === name) theme.delete("name");
  if (theme.items.length === 0) document.delete("theme");
  return true;
}

function namesPlugin(item: unknown, { src, name }: Source): boolean {
  if (isScalar(item)) return item.value === src;
  return (
    isMap(item) && (item.get("src") === src || (!item.has("src") && item.get("name") === name))
  );
}

function removeItem(list: YAMLSeq, isThis: (item: unknown) => boolean): boolean {
  const at = list.items.findIndex(isThis);
  if (at !== -1) list.items.splice(at, 1);
  return at !== -1;
}

/** The text with one specifier replaced by another, for plugins and themes. */
export function replaceSource(text: string, from: string, to: string): string {
  const document = parseConfig(text);
  for (const key of ["plugins", "theme", "themes"]) {
    const section: unknown = document.get(key, true);
    if (!isMap(section) && !isSeq(section)) continue;
    visit(section as YAMLMap | YAMLSeq, {
      Scalar(_, node) {
        if (node.value === from) node.value = to;
      },
    });
  }
  return formatConfig(document, text);
}

/** The text with a theme among `themes:`, or as the active one. */
export function addTheme(
  text: string,
  { src, name, use }: { src: string; name?: string; use: boolean },
): string {
  const document = parseConfig(text);
  const entry = { name: name ?? nameOfSource(src), src };
  if (use) {
    for (const [key, value] of Object.entries(entry)) document.setIn(["theme", key], value);
    return formatConfig(document, text);
  }
  const themes: unknown = document.get("themes");
  if (isSeq(themes)) themes.add(document.createNode(entry));
  else document.set("themes", document.createNode([entry]));
  return formatConfig(document, text);
}
