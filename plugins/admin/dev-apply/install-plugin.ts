import { isMap, isScalar, isSeq } from "yaml";
import { formatConfig, HttpError, parseConfig, safeJoin } from "#kernel";
import type { Verdict } from "./changes.js";
import type { ConfigTexts } from "./config-texts.js";

const PACKAGE = /^(?:npm|jsr):(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*@[~^]?\d+(\.\d+){0,2}(-[\w.]+)?$/;
const FOLDER = /^\.\/[\w./-]+$/;

/** `plugin.install`: adds a plugin to `plugins:` of site.yaml; nothing is fetched or run. */
export async function installPlugin(texts: ConfigTexts, spec: string): Promise<Verdict> {
  if (!isSpec(spec)) {
    const errors = [
      `${JSON.stringify(spec.slice(0, 120))} is no plugin: give npm:name@version or ./folder of the site`,
    ];
    return { status: "error", errors };
  }
  return texts.edit("site", (text) => withPlugin(text, spec));
}

/** True for a pinned package or a path below the site root. */
export function isSpec(spec: string): boolean {
  if (PACKAGE.test(spec)) return true;
  return FOLDER.test(spec) && safeJoin("/site", spec.slice(2)) !== null;
}

/** site.yaml with the plugin at the end of `plugins:`; the same text when it is there already. */
export function withPlugin(text: string, spec: string): string {
  const document = parseConfig(text);
  const plugins: unknown = document.get("plugins");
  if (isSeq(plugins)) {
    const specs = plugins.items.map((item) => (isMap(item) ? item.get("src") : scalarOf(item)));
    if (specs.includes(spec)) return text;
    plugins.add(document.createNode({ src: spec }));
  } else if (isMap(plugins)) {
    const specs = plugins.items.map(({ value }) => (isMap(value) ? value.get("src") : null));
    if (specs.includes(spec)) return text;
    plugins.set(nameOf(spec), document.createNode({ src: spec }));
  } else if (plugins === undefined || plugins === null) {
    document.set("plugins", document.createNode([{ src: spec }]));
  } else {
    throw new HttpError(400, "plugins holds neither a list nor a map", {
      code: "ERR_CONFIG_KEY",
    });
  }
  return formatConfig(document, text);
}

function scalarOf(item: unknown): unknown {
  return isScalar(item) ? item.value : null;
}

/** `npm:@acme/shop-kit@1.0.0` and `./plugins/shop-kit.ts` are `shop-kit`. */
function nameOf(spec: string): string {
  const path = spec.replace(/^(?:npm|jsr):/, "").replace(/(?<=.)@[^@/]*$/, "");
  return (path.split("/").findLast((part) => part !== "") ?? path).replace(/\.\w+$/, "");
}
