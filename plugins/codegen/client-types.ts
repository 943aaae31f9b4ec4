import { isRecord } from "#kernel";
import type { JsonObject, OpenApiDocument } from "../openapi/contract.js";
import { toKey, toTypeName } from "./json-schema-type.js";

/** Keys of page items; a bare name means them, not a field of the same name. */
const PAGE_KEYS: Readonly<Record<string, string>> = {
  route: "string",
  title: "string",
  date: "string",
  datetime: "string",
  template: "string",
  format: "string",
  lang: "string",
  order: "NumberValue",
  published: "BooleanValue",
};
/** Records filter by every field, pages also by `frontmatter.<name>`. */
const PAGE_NAMES = Object.entries(PAGE_KEYS)
  .map(([name, type]) => `  readonly ${name}: ${type};\n`)
  .join("");

/** Types of what a site declares: front matter by template, records by type, and what filters accept. */
export function siteTypesOfClient({ components }: OpenApiDocument): string {
  const all = Object.entries(components.schemas);
  const pages = marked(all, "x-template");
  const records = marked(all, "x-flex-type");
  return [
    `/** Template to the front matter of its pages. */\nexport interface PageFrontmatter {\n${linesOf(pages)}}\n`,
    `/** Record type to its records. */\nexport interface FlexRecords {\n${linesOf(records)}}\n`,
    `/** Names that filters of pages know in any list. */\nexport interface PageKeys {\n${PAGE_NAMES}  readonly [name: \`taxonomy.\${string}\`]: string;\n  readonly [name: \`frontmatter.\${string}\`]: FilterValue;\n}\n`,
    `/** Template to the names that filters know. */\nexport interface PageNames {\n${pages.map(pageNames).join("")}}\n`,
    `/** Record type to the names that filters know. */\nexport interface RecordNames {\n${records.map(recordNames).join("")}}\n`,
    HELPERS,
  ].join("\n");
}

interface Marked {
  /** Template or record type. */
  readonly name: string;
  readonly typeName: string;
  readonly schema: JsonObject;
}

function marked(all: readonly (readonly [string, JsonObject])[], mark: string): Marked[] {
  return all.flatMap(([typeName, schema]) => {
    const name = schema[mark];
    return typeof name === "string" ? [{ name, typeName: toTypeName(typeName), schema }] : [];
  });
}

function linesOf(types: readonly Marked[]): string {
  return types.map(({ name, typeName }) => `  readonly ${toKey(name)}: ${typeName};\n`).join("");
}

function pageNames({ name, schema }: Marked): string {
  const own = filterNames(schema).filter(([path]) => !Object.hasOwn(PAGE_KEYS, path));
  // Inside values without declared fields, such as blocks, any name may exist.
  const inside = own.filter(([, type]) => type === "FilterValue");
  const patterns = inside.map(
    ([path]) => `    readonly [name: \`${path}.\${string}\`]: FilterValue;\n`,
  );
  return `  readonly ${toKey(name)}: PageKeys & {\n${namesText(own)}${patterns.join("")}  };\n`;
}

function recordNames({ name, schema }: Marked): string {
  return `  readonly ${toKey(name)}: {\n${namesText(filterNames(schema))}  };\n`;
}

type FilterName = readonly [path: string, type: string];

function namesText(names: readonly FilterName[]): string {
  // `filter[or]` has the alternatives.
  const usable = names.filter(([path]) => path !== "or");
  return usable.map(([path, type]) => `    readonly ${toKey(path)}: ${type};\n`).join("");
}

/** The paths to values of a schema (`price`, `size.length`), with the type of a value to compare with. */
function filterNames(schema: JsonObject, prefix = ""): FilterName[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = prefix + name;
    const value = isRecord(property) ? itemOf(property) : {};
    const inner = filterNames(value, `${path}.`);
    return [[path, valueType(value)] as const, ...inner];
  });
}

/** A condition on a list holds for one of its items. */
function itemOf(schema: JsonObject): JsonObject {
  const { type, items } = schema;
  return type === "array" && isRecord(items) ? itemOf(items) : schema;
}

function valueType({ type, enum: options }: JsonObject): string {
  if (type === "number" || type === "integer") return "NumberValue";
  if (type === "boolean") return "BooleanValue";
  const isChoice = Array.isArray(options) && options.every((one) => typeof one === "string");
  if (isChoice && options.length > 0) return options.map((one) => JSON.stringify(one)).join(" | ");
  return type === "string" ? "string" : "FilterValue";
}

const HELPERS = `type NumberValue = number | \`\${number}\`;
type BooleanValue = boolean | "true" | "false";
/** A value that filters compare with. */
export type FilterValue = string | number | boolean;

/** A filter on one name: a value, several of which one is enough, or operators. */
export type Condition<V> =
  | V
  | readonly V[]
  | {
      readonly eq?: V;
      readonly ne?: V;
      readonly lt?: V;
      readonly lte?: V;
      readonly gt?: V;
      readonly gte?: V;
      /** Several values, or one text with commas between them. */
      readonly in?: string | readonly V[];
      readonly nin?: string | readonly V[];
      readonly contains?: FilterValue;
      readonly startsWith?: string;
      readonly exists?: BooleanValue;
    };

/** Conditions that hold together. */
export type Conditions<Names> = { readonly [N in keyof Names]?: Condition<Names[N]> };

/** Conditions that hold together; of \`or\`, one group is enough. */
export type Filter<Names> = Conditions<Names> & { readonly or?: readonly Conditions<Names>[] };

/** A filter on any names; the site checks them. */
export interface AnyFilter {
  readonly [name: string]:
    | Condition<FilterValue>
    | readonly { readonly [name: string]: Condition<FilterValue> }[];
}

/** The filter of a list of pages: typed by their template. */
export type PageFilter<T> = T extends keyof PageNames ? Filter<PageNames[T]> : AnyFilter;

/** The filter of a list of records. */
export type RecordFilter<T extends keyof FlexRecords> = Filter<RecordNames[T]>;

/** The front matter of pages with a template; of others, anything. */
export type FrontmatterOf<T> = T extends keyof PageFrontmatter
  ? PageFrontmatter[T]
  : { readonly [name: string]: unknown };

/** An item of a list with \`fields\`: just these keys, own fields in \`frontmatter\`. */
export type SparsePage<T> = {
  readonly [name: string]: unknown;
  readonly frontmatter?: Partial<FrontmatterOf<T>>;
};

/** True for a page with this template: its front matter is typed then. Pages that do not fit their page type are not checked. */
export function hasTemplate<T extends keyof PageFrontmatter, P extends object>(
  page: P,
  template: T,
): page is P & { readonly template: T; readonly frontmatter: PageFrontmatter[T] } {
  return "template" in page && page.template === template;
}
`;
