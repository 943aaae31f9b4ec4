import * as z from "zod";
import { isRecord } from "#lib/values";

/** Any zod schema. */
export type Schema = z.core.$ZodType;

/**
 * What a folder is for: `content` is published, `private` is for the site only, `cache` may be deleted at
 * any time.
 */
export type FolderUse = "content" | "private" | "cache";

/** `.meta({ … })` of a settings schema that the kernel reads. */
export interface SchemaMeta {
  description?: string;
  /** Masked in all output of the configuration. */
  secret?: boolean;
  /** Makes the site run code or trust others: changed through the API only with `plugins.manage`. */
  privileged?: boolean;
  /** An address or host that the site calls: public when it is set through the API. */
  outbound?: boolean;
  /** The name of a role that the key gives to others. */
  grantsRole?: boolean;
  /** `late`: `$NAME` is left for its owner to expand. `flag`: `env:NAME` becomes a boolean. */
  expand?: "late" | "flag";
  /** The value is a folder: see `folderProblems`. */
  folder?: FolderUse;
}

/** The schema inside defaults, optionals and other wrappers. */
export function unwrap(schema: Schema): Schema {
  const inner = unwrapOnce(schema);
  return inner ? unwrap(inner) : schema;
}

/** Metadata of a schema and the schemas it wraps; the outermost wins. */
export function metaOf(schema: Schema): SchemaMeta {
  const inner = unwrapOnce(schema);
  return { ...(inner ? metaOf(inner) : {}), ...z.globalRegistry.get(schema) };
}

/** True when the key is optional. */
export function acceptsAbsence(schema: Schema): boolean {
  return z.safeParse(schema, undefined).success;
}

/**
 * The schema of `key` inside `schema`: of an object, map or list, or of the alternative that has it.
 * Undefined when it is missing, or only `unknown`.
 */
export function childSchema(schema: Schema, key: string | number): Schema | undefined {
  const child = declaredChild(schema, key);
  return child instanceof z.ZodUnknown || child instanceof z.ZodAny ? undefined : child;
}

function declaredChild(schema: Schema, key: string | number): Schema | undefined {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    if (Object.hasOwn(inner.shape, key)) return inner.shape[key];
    // A strict object rejects unknown keys with `never`.
    return inner.def.catchall instanceof z.ZodNever ? undefined : inner.def.catchall;
  }
  if (inner instanceof z.ZodRecord) return inner.valueType;
  if (inner instanceof z.ZodArray) return inner.element;
  if (inner instanceof z.ZodUnion) {
    return inner.options
      .map((option) => childSchema(option, key))
      .find((child) => child !== undefined);
  }
  return undefined;
}

/** Names of the keys of an object schema; empty for any other schema. */
export function schemaKeys(schema: Schema | undefined): readonly string[] {
  const inner = schema && unwrap(schema);
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape);
  return inner instanceof z.ZodUnion ? inner.options.flatMap((option) => schemaKeys(option)) : [];
}

/** The schema at a path below `schema`; undefined when it is missing. */
export function schemaAt(schema: Schema, path: readonly (string | number)[]): Schema | undefined {
  return path.reduce<Schema | undefined>(
    (current, key) => current && childSchema(current, key),
    schema,
  );
}

function unwrapOnce(schema: Schema): Schema | undefined {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodCatch
  ) {
    return schema.def.innerType;
  }
  if (schema instanceof z.ZodLazy) return schema.def.getter();
  return schema instanceof z.ZodPipe ? schema.def.in : undefined;
}

// Numbers of a file in the place of texts: `title: 2025`, `version: 1.10`.

/**
 * The values of a file in which a number is the text in the file where its schema takes a text and no number.
 * `texts`: the same values, with numbers as they are written. Booleans stay: in the place of a text they are
 * mistakes.
 */
export function schemaTexts(schema: Schema, data: unknown, texts: unknown): unknown {
  if (typeof data === "number") {
    const text = typeof texts === "string" ? texts : String(data);
    const isText = !z.safeParse(schema, data).success && z.safeParse(schema, text).success;
    return isText ? text : data;
  }
  if (Array.isArray(data)) {
    const written: readonly unknown[] = Array.isArray(texts) ? texts : [];
    return data.map((item: unknown, at) => {
      const child = childSchema(schema, at);
      return child === undefined ? item : schemaTexts(child, item, written[at]);
    });
  }
  if (!isRecord(data)) return data;
  const written = isRecord(texts) ? texts : {};
  const entries = Object.entries(data).map(([key, value]): [string, unknown] => {
    const child = childSchema(schema, key);
    const text = Object.hasOwn(written, key) ? written[key] : undefined;
    return [key, child === undefined ? value : schemaTexts(child, value, text)];
  });
  return Object.fromEntries(entries);
}

/** Like `schemaTexts`, for a map. */
export function schemaTextsOf(
  schema: Schema,
  data: Readonly<Record<string, unknown>>,
  texts: unknown,
): Record<string, unknown> {
  const values = schemaTexts(schema, data, texts);
  return isRecord(values) ? values : { ...data };
}
