import type { Field, PluginInfo, SiteContext } from "#kernel";
import { fieldsSchema } from "#lib/fields";
import type { Blueprints } from "../content/contract.js";
import type { FlexType } from "../flex/contract.js";
import type {} from "../render/contract.js";
import { schemaType, toKey, toUnion, toTypeName, comment } from "./json-schema-type.js";

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
  const entries = content?.generation().entries ?? [];
  const values = new Map<string, Set<string>>();
  for (const { taxonomy } of entries) {
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
    ...entries.flatMap(({ roles }) => [...(roles?.all ?? []), ...(roles?.any ?? [])]),
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

/** The types of page types and blocks: front matter by template, blocks by type. */
export function blueprintTypes(blueprints: Pick<Blueprints, "list" | "blocks">): string {
  const names = new Set(["PageFrontmatter"]);
  const pages = blueprints.list().map((one) => named(one.name, one.fields, "Frontmatter", names));
  const blocks = blueprints.blocks().map((one) => named(one.name, one.fields, "Block", names));
  const members = pages.map(({ name, typeName }) => `  readonly ${toKey(name)}: ${typeName};\n`);
  const blockUnion = blocks.map(({ typeName }) => typeName).join(" | ") || "never";
  return [
    ...pages.map(
      ({ typeName, name, fields }) =>
        `/** Front matter of pages with the template ${JSON.stringify(name)}. */\nexport type ${typeName} = ${schemaType(fieldsSchema(fields))};`,
    ),
    ...blocks.map(
      ({ typeName, name, fields }) =>
        `/** A block of type ${JSON.stringify(name)}. */\nexport type ${typeName} = { readonly type: ${toUnion([name])} } & ${schemaType(fieldsSchema(fields))};`,
    ),
    `/** Template to the front matter of its pages. */\nexport interface PageFrontmatter {\n${members.join("")}}`,
    `/** Any block. */\nexport type Block = ${blockUnion};`,
  ].join("\n\n");
}

interface Named {
  readonly name: string;
  readonly typeName: string;
  readonly fields: readonly Field[];
}

/** Names that would be equal (`a-b`, `a_b`) get a number, except the first. */
function named(name: string, fields: readonly Field[], suffix: string, names: Set<string>): Named {
  const preferred = `${toTypeName(name)}${suffix}`;
  let typeName = preferred;
  for (let use = 2; names.has(typeName); use += 1) typeName = `${preferred}${use}`;
  names.add(typeName);
  return { name, typeName, fields };
}

/** The items of a `list` are not checked; hand-written ones are texts. */
const LIST = "readonly string[]";

/** A flex type and the interface name of its records. */
interface NamedType {
  readonly type: FlexType;
  readonly interfaceName: string;
}

/**
 * Adds interface names to types: `boat-trip` has `BoatTripRecord`. If types would share a name (`a-b`,
 * `a_b`), each but the first gets a number.
 */
export function namedTypes(types: readonly FlexType[]): NamedType[] {
  const uses = new Map<string, number>();
  return types.map((type) => {
    const interfaceName = `${toTypeName(type.name)}Record`;
    const use = (uses.get(interfaceName) ?? 0) + 1;
    uses.set(interfaceName, use);
    return { type, interfaceName: use === 1 ? interfaceName : `${interfaceName}${use}` };
  });
}

/** An interface for the records of a flex type, as the API returns them. */
export function recordInterface({ type, interfaceName }: NamedType): string {
  const lines = type.fields.map((field) => {
    const mark = field.required || field.default !== undefined ? "" : "?";
    const label = comment({ description: field.label }, "  ");
    return `${label}  readonly ${toKey(field.name)}${mark}: ${field.type === "list" ? LIST : schemaType(field.kind.jsonSchema(field), "  ")};`;
  });
  return [
    `/** A record of flex type ${JSON.stringify(type.name)}. */`,
    `export interface ${interfaceName} {`,
    "  readonly _id: string;",
    "  readonly _type: string;",
    "  readonly _createdAt: number;",
    "  readonly _updatedAt: number;",
    ...lines,
    "}",
  ].join("\n");
}
