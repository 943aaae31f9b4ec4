import { isRecord } from "#lib/values";
import type { Field, JsonSchema } from "../../api/answers.js";
import { texts } from "../../app/texts.js";
import de from "../../locales/de/settings.json";
import en from "../../locales/en/settings.json";
import { plainField } from "../../parts/fields/field-props.js";
import type { SettingText } from "./setting-catalog.js";
import { settingText } from "./setting-texts.js";

const t = texts({ en, de });

/** A form edits a file, or the block of a plugin. */
export interface EditedSettings {
  readonly values: Readonly<Record<string, unknown>>;
  readonly schema: JsonSchema;
  /** Key of the block in its file, as problems name it; empty for a whole file. */
  readonly at?: string;
  /** Needed to change it. */
  readonly permission: string;
  /** The plugin whose block it is; absent for a file. */
  readonly plugin?: string;
}
/** One key of a configuration file, with the form control for it. */
export interface Setting {
  /** Dotted: `content.dir`. */
  readonly key: string;
  readonly field: Field;
  readonly default: unknown;
  /** Values of the choices, which the control knows as texts. */
  readonly choices: readonly unknown[];
  /** True for a map of texts. */
  readonly isMap: boolean;
  /** True for a number of seconds. */
  readonly isSeconds: boolean;
}
/** The settings below one key of the file; those without a group have an empty name. */
export interface SettingGroup {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly settings: readonly Setting[];
}

/** The settings that a schema describes, grouped by the keys of the file's top level. */
export function settingGroups({ schema, values, plugin }: EditedSettings): readonly SettingGroup[] {
  const entries = Object.entries(schema.properties ?? {})
    // The same keys as in admin.yaml, unless this file has them.
    .filter(([name]) => name !== "admin" || values["admin"] !== undefined);
  const plain = entries.filter(([, inner]) => inner.properties === undefined);
  const nested = entries.filter(([, inner]) => inner.properties !== undefined);
  const toSetting = (key: string, inner: JsonSchema, required: boolean): Setting =>
    setting({ key, schema: inner, required, plugin, label: settingText(key, inner, plugin) });
  const below = (prefix: string, outer: JsonSchema, labels: readonly string[] = []): Setting[] =>
    Object.entries(outer.properties ?? {}).flatMap(([name, inner]) => {
      const key = `${prefix}.${name}`;
      const { title, description } = settingText(key, inner, plugin);
      if (inner.properties !== undefined) return below(key, inner, [...labels, title]);
      // A part of a section that repeats words: `GitHub: Client id`.
      const label = { title: [...labels, title].join(": "), description };
      return [setting({ key, schema: inner, required: isRequired(outer, name), plugin, label })];
    });
  const general = plain.map(([name, inner]) => toSetting(name, inner, isRequired(schema, name)));
  return [
    { name: "", title: t("general"), help: "", settings: general },
    ...nested.map(([name, inner]) => {
      const { title, description } = settingText(name, inner, plugin);
      return { name, title, help: description, settings: below(name, inner) };
    }),
  ].filter(({ settings }) => settings.length > 0);
}

/** The settings whose label, sentence or key has every word; all of a section whose title has them. */
export function findSettings(
  groups: readonly SettingGroup[],
  wanted: string,
): readonly SettingGroup[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  return groups.flatMap((group) => {
    if (has(group.title)) return [group];
    const settings = group.settings.filter(({ key, field }) =>
      has(`${group.title} ${field.label} ${field.help} ${key}`),
    );
    return settings.length === 0 ? [] : [{ ...group, settings }];
  });
}

/** True for a value that rows can show without loss: a list of maps, or nothing. */
export function isListOfMaps(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isRecord));
}

/** The value of a dotted key; undefined when it is not set. */
export function readKey(values: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((parent, part) => {
    if (typeof parent !== "object" || parent === null) return undefined;
    return Object.entries(parent).find(([name]) => name === part)?.[1];
  }, values);
}

function isRequired(schema: JsonSchema, name: string): boolean {
  return schema.required?.includes(name) ?? false;
}

/** A key of a schema. */
interface DescribedKey {
  readonly key: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly plugin: string | undefined;
  readonly label: Required<SettingText>;
}

function setting(described: DescribedKey): Setting {
  const { key, schema } = described;
  const shown = withoutNull(schema);
  const choices = listChoices(shown);
  const isSeconds = /\bseconds?\b/i.test(schema.description ?? "") && toKind(shown) === "number";
  const field = { ...toField(described), ...(choices.length > 0 && { type: "select" }) };
  return { key, field, default: schema.default, choices, isMap: isMapOfTexts(shown), isSeconds };
}

/** The field of a key; a list of maps has fields for the keys of its items. */
function toField({ key, schema, required, plugin, label }: DescribedKey): Field {
  const shown = withoutNull(schema);
  const choices = listChoices(shown.type === "array" ? (shown.items ?? {}) : shown);
  const isList = shown.type === "array";
  const inner = isList ? withoutNull(shown.items ?? {}) : shown;
  return {
    ...plainField(key, toKind(shown), label.title),
    help: label.description,
    required,
    // Shown while an item has no value; new items do not write it.
    more: { default: schema.default },
    options: choices.map((choice) => ({ value: String(choice), label: String(choice) })),
    min: shown.minimum ?? null,
    max: shown.maximum ?? null,
    fields: Object.entries((isList && inner.properties) || {}).map(([name, value]) => ({
      ...toField({
        key: `${key}.${name}`,
        schema: value,
        // A value with a default may be left out.
        required: isRequired(inner, name) && value.default === undefined,
        plugin,
        label: settingText(`${key}.${name}`, value, plugin),
      }),
      name,
    })),
  };
}

function isMapOfTexts({ type, properties, additionalProperties: values }: JsonSchema): boolean {
  const isMap = type === "object" && properties === undefined;
  return isMap && typeof values === "object" && values !== null && "type" in values
    ? values.type === "string"
    : false;
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

function listChoices(schema: JsonSchema): readonly unknown[] {
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

function toKind(schema: JsonSchema): string {
  const { type, items, format } = schema;
  if (format === "color") return "color";
  if (type === "array") {
    const inner = withoutNull(items ?? {});
    if (inner.properties !== undefined) return "structure";
    if (inner.type !== "string") return "yaml";
    return inner.enum === undefined ? "tags" : "checkboxes";
  }
  const choices = listChoices(schema);
  if (choices.length > 0 && choices.every((one) => typeof one === "string")) return "select";
  return (typeof type === "string" ? KINDS[type] : undefined) ?? "yaml";
}
