import type { SiteContext } from "#kernel";
import type { PluginInfo } from "#kernel/internal";
import type {} from "../content/contract.js";
import type {} from "../flex/contract.js";
import type {} from "../render/contract.js";
import { blueprintTypes } from "./blueprint-types.js";
import { namedTypes, recordInterface } from "./flex-type.js";
import { schemaType } from "./json-schema-type.js";
import { toKey, toUnion } from "./names.js";

/** The file of a site's types, below its root. */
export const TYPES_FILE = ".site/types/site.d.ts";
const TO_ROOT = "../..";

/** The types of a site: names from its content, configuration and plugins. Ends with a newline. */
export async function siteTypes(site: SiteContext): Promise<string> {
  const parts = [
    "// Written by `site codegen`: do not edit, the next run overwrites it.",
    imports(site.runtime.plugins()),
    flexTypes(site),
    pageTypes(site),
    await contentTypes(site),
    templateTypes(site),
    pluginTypes(site.runtime.plugins()),
    hookTypes(site),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** These imports give hooks and services of every selected plugin their types. */
function imports(plugins: readonly PluginInfo[]): string {
  const ours = plugins.flatMap(({ src }) => (src?.startsWith("./") ? [src.slice(1)] : []));
  const packages = plugins.flatMap(
    ({ src }) => /^npm:((?:@[^/]+\/)?[^@]+)@/.exec(src ?? "")?.[1] ?? [],
  );
  const specifiers = ["sitewright/plugins", ...packages, ...ours.map((path) => TO_ROOT + path)];
  return specifiers.map((name) => `import type {} from ${JSON.stringify(name)};`).join("\n");
}

function flexTypes(site: SiteContext): string {
  const types = namedTypes(site.use("flex", { optional: true })?.flexTypes() ?? []);
  const byName = types.map(
    ({ type, interfaceName }) => `  readonly ${toKey(type.name)}: ${interfaceName};\n`,
  );
  return [
    ...types.map(recordInterface),
    `/** Flex type to its records. */\nexport interface FlexRecords {\n${byName.join("")}}`,
  ].join("\n\n");
}

function pageTypes(site: SiteContext): string {
  const content = site.use("content", { optional: true });
  return content === undefined ? "" : blueprintTypes(content.blueprints);
}

async function contentTypes(site: SiteContext): Promise<string> {
  const content = site.use("content", { optional: true });
  const found = content?.generation().entries ?? [];
  const values = new Map<string, Set<string>>();
  for (const { taxonomy } of found) {
    for (const [name, terms] of Object.entries(taxonomy)) {
      values.set(name, new Set([...(values.get(name) ?? []), ...terms]));
    }
  }
  const lines = [...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, terms]) => `  readonly ${toKey(name)}: ${toUnion([...terms].sort())};\n`);
  const roles = new Set([
    "admin",
    "editor",
    "author",
    ...found.flatMap(({ roles }) => [...(roles?.all ?? []), ...(roles?.any ?? [])]),
  ]);
  return [
    `/** Taxonomy to the values that pages have. */\nexport interface TaxonomyValues {\n${lines.join("")}}`,
    "export type TaxonomyName = keyof TaxonomyValues;",
    `/** Roles of the admin panel, and those that gate pages. */\nexport type RoleName = ${toUnion([...roles].sort())};`,
  ].join("\n\n");
}

function templateTypes(site: SiteContext): string {
  const names = site.use("render", { optional: true })?.templates() ?? [];
  return `/** Templates that a page can use. */\nexport type TemplateName = ${toUnion([...names].sort())};`;
}

function pluginTypes(plugins: readonly PluginInfo[]): string {
  const blocks = plugins.flatMap((plugin) => {
    const schema = plugin.configSchema();
    return schema === null
      ? []
      : [`  readonly ${toKey(plugin.name)}: ${schemaType(schema, "  ")};\n`];
  });
  const names = plugins.map(({ name }) => name).sort();
  return [
    `/** Selected plugins. */\nexport type PluginName = ${toUnion(names)};`,
    `/** Plugin to its \`config:\` block, as written in site.yaml. */\nexport interface PluginConfigs {\n${blocks.join("")}}`,
  ].join("\n\n");
}

/** Names and kinds are of this site; payloads come from the imports above. */
function hookTypes({ hooks, runtime: { services } }: SiteContext): string {
  const declared = [...hooks.declared()].sort(([a], [b]) => (a < b ? -1 : 1));
  const kinds = declared.map(
    ([name, kind]) => `  readonly ${toKey(name)}: ${JSON.stringify(kind)};\n`,
  );
  return [
    `/** Hook to its kind. */\nexport interface SiteHooks {\n${kinds.join("")}}`,
    `/** Services that the selected plugins provide. */\nexport type ServiceName = ${toUnion([...services()].sort())};`,
  ].join("\n\n");
}
