import { isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import { SiteError } from "../../errors.js";
import { formatConfig, parseConfig } from "../yaml/edit-yaml.js";

/**
 * site.yaml with a plugin appended to `plugins:`, in either form; the same text when the source is
 * already listed. Keeps comments and order.
 * @throws ERR_CONFIG_KEY (400) when `plugins` is neither a list nor a map, or the text is invalid YAML.
 */
export function addPluginEntry(text: string, src: string): string {
  const document = parseConfig(text);
  const plugins: unknown = document.get("plugins");
  if (isSeq(plugins)) {
    const sources = plugins.items.map((item) =>
      isMap(item) ? item.get("src") : isScalar(item) ? item.value : null,
    );
    if (sources.includes(src)) return text;
    plugins.add(document.createNode({ src }));
  } else if (isMap(plugins)) {
    const sources = plugins.items.map(({ value }) => (isMap(value) ? value.get("src") : null));
    if (sources.includes(src)) return text;
    plugins.set(freeName(nameOfSource(src), plugins), document.createNode({ src }));
  } else if (plugins === undefined || plugins === null) {
    document.set("plugins", document.createNode([{ src }]));
  } else {
    throw new SiteError("ERR_CONFIG_KEY", "plugins is neither a list nor a map", {
      status: 400,
      fix: "write a list of sources below plugins",
    });
  }
  return formatConfig(document, text);
}

/**
 * The name that a source suggests: `npm:@acme/shop-kit@1.0.0`, `./plugins/shop-kit.ts`,
 * `./plugins/shop-kit/index.ts`, `file:./vendor/shop-kit-1.0.0.tgz` and
 * `git+https://host/acme/shop-kit.git#…` are `shop-kit`.
 */
export function nameOfSource(src: string): string {
  if (/^(?:file:|git\+)/.test(src)) {
    const last =
      src
        .replace(/#.*$/, "")
        .replace(/(?<!\/)\/+$/, "")
        .split("/")
        .at(-1) ?? src;
    return last.replace(/\.(?:git|tgz|tar\.gz)$/, "").replace(/(?<=.)-\d+\.\d+\.\d+.*$/, "");
  }
  const path = src.replace(/^(?:npm|jsr):/, "").replace(/(?<=.)@[^@/]*$/, "");
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const isIndex = parts.length > 1 && /^index\.\w+$/.test(parts.at(-1) ?? "");
  return (parts.at(isIndex ? -2 : -1) ?? path).replace(/\.\w+$/, "");
}

/** A unique key: it must not replace another plugin's. */
function freeName(name: string, taken: YAMLMap): string {
  if (!taken.has(name)) return name;
  let count = 2;
  while (taken.has(`${name}-${count}`)) count += 1;
  return `${name}-${count}`;
}
