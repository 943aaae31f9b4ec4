import { isRecord } from "#lib/values";
import { SiteError } from "#lib/errors";
import { configValues, setYamlKey } from "#lib/yaml";
import { nameOfSource } from "./specifier.js";

/**
 * site.yaml with a plugin appended to `plugins:`, in either form; the same text when the source is
 * already listed. Everything else stays byte for byte.
 * @throws ERR_CONFIG_KEY (400) when `plugins` is neither a list nor a map, or the text is invalid YAML.
 */
export function addPluginEntry(text: string, src: string): string {
  const plugins = configValues(text).plugins ?? [];
  if (Array.isArray(plugins)) {
    const sources = plugins.map((item: unknown) => (isRecord(item) ? item.src : item));
    return sources.includes(src) ? text : setYamlKey(text, ["plugins"], [...plugins, { src }]);
  }
  if (isRecord(plugins)) {
    const sources = Object.values(plugins).map((value) => (isRecord(value) ? value.src : null));
    if (sources.includes(src)) return text;
    return setYamlKey(text, ["plugins", freeName(nameOfSource(src), plugins)], { src });
  }
  throw new SiteError("ERR_CONFIG_KEY", "plugins is neither a list nor a map", {
    status: 400,
    fix: "write a list of sources below plugins",
  });
}

/** A unique key: it must not replace another plugin's. */
function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(taken, name)) return name;
  let count = 2;
  while (Object.hasOwn(taken, `${name}-${count}`)) count += 1;
  return `${name}-${count}`;
}
