import { plainField } from "../parts/fields/field-props.js";
import type { Preset } from "../../../render/contract.js";
import type { Field, SettingChange, Theme } from "../api/answers.js";

/** The value of `theme` in site.yaml, as the screen edits it. */
export interface ThemeDraft {
  readonly name: string;
  readonly preset: Preset;
  readonly custom: Readonly<Record<string, unknown>>;
}

const PRESETS: readonly Preset[] = ["site", "docs", "blog"];

/** The draft of the stored values. */
export function toDraft(values: Readonly<Record<string, unknown>>, active: string): ThemeDraft {
  const theme = toMap(values["theme"]);
  const { name = active, preset } = theme;
  return {
    name: String(name),
    preset: PRESETS.find((one) => one === preset) ?? "site",
    custom: toMap(theme["custom"]),
  };
}

/** The keys that differ; a setting without a value is removed. */
export function draftChanges(before: ThemeDraft, after: ThemeDraft): SettingChange[] {
  const names = new Set([...Object.keys(before.custom), ...Object.keys(after.custom)]);
  const custom = [...names].filter((name) => !isSame(before.custom[name], after.custom[name]));
  return [
    ...(before.name === after.name ? [] : [{ key: "theme.name", value: after.name }]),
    ...(before.preset === after.preset ? [] : [{ key: "theme.preset", value: after.preset }]),
    ...custom.map((name) => ({ key: `theme.custom.${name}`, value: after.custom[name] ?? null })),
  ];
}

/** Form fields of a theme's settings. */
export function themeFields({ fields }: Theme): readonly Field[] {
  return Object.entries(fields).map(([name, given]) => {
    const { type = "text", label = name, help = "", required, when } = given;
    const { min, max, pattern } = toMap(given["validate"]);
    const isNested = type === "list" || type === "structure" || type === "object";
    return {
      ...plainField(name, isNested ? "yaml" : String(type), String(label)),
      help: String(help),
      default: given["default"],
      options: optionsOf(given["options"]),
      min: typeof min === "number" ? min : null,
      max: typeof max === "number" ? max : null,
      pattern: typeof pattern === "string" ? pattern : null,
      required: required === true,
      when: listConditions(when),
    };
  });
}

function listConditions(when: unknown): Field["when"] {
  const conditions = Object.entries(toMap(when)).map(
    ([name, allowed]): [string, readonly unknown[]] => [
      name,
      Array.isArray(allowed) ? allowed : [allowed],
    ],
  );
  return conditions.length === 0 ? null : Object.fromEntries(conditions);
}

function optionsOf(given: unknown): Field["options"] {
  if (Array.isArray(given)) {
    return given.map((one: unknown) => {
      const { value = one, label = value } = toMap(one);
      return { value: String(value), label: String(label) };
    });
  }
  return Object.entries(toMap(given)).map(([value, label]) => ({ value, label: String(label) }));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function toMap(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}
