import * as z from "zod";
import { SiteError } from "#lib/errors";
import { inputJsonSchema, metaOf, unwrap, type Schema } from "#lib/schema";
import type { ConfigFile, SettingsSchemas } from "../contracts.js";

/** The owner of keys: a plugin, or `kernel`. */
export interface SchemaOwner {
  readonly name: string;
  readonly settings?: SettingsSchemas | undefined;
}
/** One strict schema for each file. */
export type MergedSchemas = Readonly<Record<ConfigFile, z.ZodObject>>;

type Shape = Record<string, Schema>;

/**
 * Merges the owners' schemas into one per file. Objects merge key by key, so a plugin may add
 * `content.markdown` to another one's `content`; unknown keys are errors.
 * @throws ERR_CONFIG_KEY_TAKEN when two owners declare the same key.
 */
export function mergeSchemas(owners: readonly SchemaOwner[]): MergedSchemas {
  return {
    site: mergeFile("site", owners),
    system: mergeFile("system", owners),
    admin: mergeFile("admin", owners),
  };
}

function mergeFile(file: ConfigFile, owners: readonly SchemaOwner[]): z.ZodObject {
  const shape: Shape = {};
  const ownerOf = new Map<string, string>();
  for (const { name, settings } of owners) {
    for (const [key, schema] of Object.entries(settings?.[file]?.shape ?? {})) {
      addKey(shape, { key, schema, owner: name, path: `${file}.yaml: ${key}` }, ownerOf);
    }
  }
  return z.strictObject(shape);
}

interface Addition {
  key: string;
  schema: Schema;
  owner: string;
  path: string;
}

function addKey(
  shape: Shape,
  { key, schema, owner, path }: Addition,
  ownerOf: Map<string, string>,
): void {
  const present = Object.hasOwn(shape, key) ? shape[key] : undefined;
  const [mine, theirs] = [unwrap(schema), present && unwrap(present)];
  if (!present) {
    shape[key] = schema;
    recordOwners(schema, owner, path, ownerOf);
  } else if (mine instanceof z.ZodObject && theirs instanceof z.ZodObject) {
    const merged: Shape = { ...theirs.shape };
    for (const [name, field] of Object.entries(mine.shape)) {
      addKey(merged, { key: name, schema: field, owner, path: `${path}.${name}` }, ownerOf);
    }
    shape[key] = z
      .strictObject(merged)
      .prefault({})
      .meta({ ...metaOf(schema), ...metaOf(present) });
  } else {
    throw new SiteError(
      "ERR_CONFIG_KEY_TAKEN",
      `${path} is declared by ${ownerOf.get(path) ?? "another plugin"} and by ${owner}`,
      {
        fix: `rename the key of plugin ${owner}`,
      },
    );
  }
}

function recordOwners(
  schema: Schema,
  owner: string,
  path: string,
  ownerOf: Map<string, string>,
): void {
  ownerOf.set(path, owner);
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return;
  for (const [key, field] of Object.entries(inner.shape))
    recordOwners(field, owner, `${path}.${key}`, ownerOf);
}

const TITLES: Readonly<Record<ConfigFile, string>> = {
  site: "site.yaml",
  system: "system.yaml",
  admin: "admin.yaml",
};

/**
 * JSON Schema (draft 2020-12) of one file, with a description and default for each key. Those of the
 * site and admin file include the admin keys below `admin:`.
 */
export function configJsonSchema(
  schemas: MergedSchemas,
  file: ConfigFile,
): Record<string, unknown> {
  const schema = file === "system" ? schemas.system : withAdmin(schemas[file], schemas.admin);
  return { ...inputJsonSchema(schema), title: TITLES[file] };
}

function withAdmin(schema: z.ZodObject, admin: z.ZodObject): z.ZodObject {
  const block = admin.describe("The keys of admin.yaml").optional();
  return z.strictObject({ ...schema.shape, admin: block });
}
