import type { SiteContext } from "#kernel";
import { fieldsSchema } from "#lib/fields";
import type {} from "../content/contract.js";
import type { FlexType } from "../flex/contract.js";
import type { JsonObject } from "./contract.js";

/** The generated client has this name for all page types. */
const TAKEN = "PageFrontmatter";
const META: Readonly<Record<string, JsonObject>> = {
  _id: { type: "string" },
  _type: { type: "string" },
  _createdAt: { type: "number", description: "Unix ms" },
  _updatedAt: { type: "number", description: "Unix ms" },
};

/** Schemas of page types, blocks and record types, by the names that they have in the document. */
export class SiteSchemas {
  readonly #site: SiteContext;
  #version = 0;
  #types: readonly FlexType[] = [];

  constructor(site: SiteContext) {
    this.#site = site;
  }

  /** True when page types, blocks or record types differ from those of the last call. */
  hasChanged(): boolean {
    const version = this.#site.use("content", { optional: true })?.blueprints.version ?? 0;
    const types = this.#site.use("flex", { optional: true })?.flexTypes() ?? [];
    const isSame =
      version === this.#version &&
      types.length === this.#types.length &&
      types.every((type, at) => type === this.#types[at]);
    this.#version = version;
    this.#types = types;
    return !isSame;
  }

  /** `PostFrontmatter`, `HeroBlock`, `BoatRecord`; names that would be equal get a number. */
  all(): Readonly<Record<string, JsonObject>> {
    const schemas: Record<string, JsonObject> = {};
    const add = (preferred: string, schema: JsonObject): void => {
      let name = preferred;
      for (let use = 2; name === TAKEN || Object.hasOwn(schemas, name); use += 1)
        name = `${preferred}${use}`;
      schemas[name] = schema;
    };
    const editor = this.#site.use("editorSchemas", { optional: true })?.all() ?? {};
    for (const [key, schema] of Object.entries(editor)) {
      const name = key.replace(/^blocks\//, "");
      if (key === name) add(`${pascal(name)}Frontmatter`, { ...schema, "x-template": name });
      else add(`${pascal(name)}Block`, schema);
    }
    for (const type of this.#types) add(`${pascal(type.name)}Record`, recordSchema(type));
    return schemas;
  }
}

function pascal(name: string): string {
  return name.replace(/(?:^|[-_]+)(\w?)/g, (_all, first: string) => first.toUpperCase());
}

function recordSchema({ name, title, fields }: FlexType): JsonObject {
  const schema = fieldsSchema(fields);
  // A field with a default is always there, unless a condition leaves it out.
  const present = fields.filter(
    (one) => one.when === null && (one.required || one.default !== undefined),
  );
  return {
    title,
    type: "object",
    properties: { ...META, ...Object(schema["properties"]) },
    required: [...Object.keys(META), ...present.map((field) => field.name)],
    "x-flex-type": name,
  };
}
