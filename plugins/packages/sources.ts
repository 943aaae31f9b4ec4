/** Which packages the configuration names: plugins and themes with an `npm:` source. */
import { nameOfSource, parseSpecifier, type RawConfig } from "#kernel";

/** A plugin or theme as the configuration names it. */
export interface Source {
  kind: "plugin" | "theme";
  /** Its name in the configuration, or the one that its source suggests. */
  name: string;
  /** `npm:name@range`, `./path`, or the name of a first-party plugin. */
  src: string;
  enabled: boolean;
  /** Of an `npm:` source. */
  npm: { name: string; range: string } | null;
}

/** Every plugin and theme that the configuration names, in its order. */
export function sourcesOf({ site }: Pick<RawConfig, "site">): Source[] {
  const { plugins, theme, themes } = site;
  const named = Array.isArray(plugins)
    ? plugins.flatMap((item: unknown) => pluginAt(undefined, item))
    : Object.entries(mapOf(plugins)).flatMap(([name, item]) => pluginAt(name, item));
  const list = Array.isArray(themes) ? themes : [];
  return [...named, ...[theme, ...list].flatMap(themeAt)];
}

/** The `npm:` sources that are in use: each specifier once. */
export function packagesOf(config: Pick<RawConfig, "site">): (Source & { npm: Wanted })[] {
  const found = new Map<string, Source & { npm: Wanted }>();
  for (const source of sourcesOf(config)) {
    const { npm } = source;
    if (npm !== null && source.enabled && !found.has(source.src)) {
      found.set(source.src, { ...source, npm });
    }
  }
  return [...found.values()];
}

type Wanted = NonNullable<Source["npm"]>;

function pluginAt(key: string | undefined, item: unknown): Source[] {
  const block = typeof item === "string" ? { src: item } : mapOf(item);
  const src = textOf(block["src"]) ?? textOf(block["name"]) ?? key;
  if (src === undefined) return [];
  const name = key ?? textOf(block["name"]) ?? nameOfSource(src);
  const enabled = block["enabled"] !== false && item !== false;
  return [{ kind: "plugin", name, src, enabled, npm: npmOf(src) }];
}

function themeAt(item: unknown): Source[] {
  const { name, src } = mapOf(item);
  const text = textOf(src);
  if (text === undefined) return [];
  const known = textOf(name) ?? nameOfSource(text);
  return [{ kind: "theme", name: known, src: text, enabled: true, npm: npmOf(text) }];
}

function npmOf(src: string): Wanted | null {
  const parsed = parseSpecifier(src);
  if (!("specifier" in parsed) || parsed.specifier.kind !== "npm") return null;
  return { name: parsed.specifier.name, range: parsed.specifier.range };
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
