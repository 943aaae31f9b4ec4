import { plainField } from "../../parts/fields/field-props.js";
import type { Field, JsonSchema } from "../../api/types.js";

/** One key of a configuration file, with the form control for it. */
export interface Setting {
  /** Dotted: `content.dir`. */
  readonly key: string;
  readonly field: Field;
  readonly default: unknown;
  /** Values of the choices, which the control knows as texts. */
  readonly choices: readonly unknown[];
}
/** The settings below one key of the file; those without a group have an empty name. */
export interface SettingGroup {
  readonly name: string;
  readonly settings: readonly Setting[];
}

/** The settings that a schema describes, grouped by the keys of the file's top level. */
export function settingGroups(
  schema: JsonSchema,
  values: Readonly<Record<string, unknown>>,
): readonly SettingGroup[] {
  const entries = Object.entries(schema.properties ?? {})
    // The same keys as in admin.yaml, unless this file has them.
    .filter(([name]) => name !== "admin" || values["admin"] !== undefined);
  const plain = entries.filter(([, inner]) => inner.properties === undefined);
  const nested = entries.filter(([, inner]) => inner.properties !== undefined);
  const general = plain.map(([name, inner]) => setting(name, inner, isRequired(schema, name)));
  return [
    { name: "", settings: general },
    ...nested.map(([name, inner]) => ({ name, settings: below(name, inner) })),
  ].filter(({ settings }) => settings.length > 0);
}

/** The value of a dotted key; undefined when it is not set. */
export function valueAt(values: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((found, part) => {
    if (typeof found !== "object" || found === null) return undefined;
    return Object.entries(found).find(([name]) => name === part)?.[1];
  }, values);
}

function below(prefix: string, schema: JsonSchema): Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = `${prefix}.${name}`;
    if (inner.properties !== undefined) return below(key, inner);
    return [setting(key, inner, isRequired(schema, name))];
  });
}

function isRequired(schema: JsonSchema, name: string): boolean {
  return schema.required?.includes(name) ?? false;
}

function setting(key: string, schema: JsonSchema, required: boolean): Setting {
  const shown = withoutNull(schema);
  const choices = choicesOf(shown);
  const field: Field = {
    ...plainField(key, choices.length > 0 ? "select" : kindOf(shown), key),
    help: schema.description ?? "",
    required,
    options: choices.map((choice) => ({ value: String(choice), label: String(choice) })),
    min: shown.minimum ?? null,
    max: shown.maximum ?? null,
  };
  return { key, field, default: schema.default, choices };
}

/** The alternative beside null, when there is only one. */
function withoutNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const [type, another] = schema.type.filter((one: string) => one !== "null");
    return another === undefined && typeof type === "string" ? { ...schema, type } : schema;
  }
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const [only] = others;
  return others.length === 1 && only !== undefined ? only : schema;
}

function choicesOf(schema: JsonSchema): readonly unknown[] {
  if (schema.enum !== undefined) return schema.enum;
  const all = schema.anyOf ?? [];
  const isList = all.length > 0 && all.every((one) => one.const !== undefined);
  return isList ? all.map((one) => one.const) : [];
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "toggle",
  integer: "number",
  number: "number",
};

function kindOf({ type, items }: JsonSchema): string {
  if (type === "array") return items?.type === "string" && !items.enum ? "tags" : "yaml";
  return (typeof type === "string" ? KINDS[type] : undefined) ?? "yaml";
}
