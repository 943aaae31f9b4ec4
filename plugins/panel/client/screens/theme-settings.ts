import type { Preset } from "../../../render/contract.js";
import type { SettingChange } from "../api/answers.js";

/** The value of `theme` in site.yaml, as the screen edits it. */
export interface ThemeSettings {
  readonly name: string;
  readonly preset: Preset;
  /** Null: the first look of the theme. */
  readonly look: string | null;
  readonly custom: Readonly<Record<string, unknown>>;
}

/** The purposes of a site. */
export const PRESETS = ["site", "docs", "blog", "portfolio"] as const satisfies readonly Preset[];

/** Reads the stored values. */
export function toThemeSettings(
  values: Readonly<Record<string, unknown>>,
  active: string,
): ThemeSettings {
  const theme = toMap(values["theme"]);
  const { name = active, preset, look = null } = theme;
  return {
    name: String(name),
    preset: PRESETS.find((one) => one === preset) ?? "site",
    look: look === null ? null : String(look),
    custom: toMap(theme["custom"]),
  };
}

/** The keys that differ; a setting without a value is removed. */
export function settingChanges(before: ThemeSettings, after: ThemeSettings): SettingChange[] {
  const names = new Set([...Object.keys(before.custom), ...Object.keys(after.custom)]);
  const custom = [...names].filter((name) => !isSame(before.custom[name], after.custom[name]));
  return [
    ...(before.name === after.name ? [] : [{ key: "theme.name", value: after.name }]),
    ...(before.preset === after.preset ? [] : [{ key: "theme.preset", value: after.preset }]),
    ...(before.look === after.look ? [] : [{ key: "theme.look", value: after.look }]),
    ...custom.map((name) => ({ key: `theme.custom.${name}`, value: after.custom[name] ?? null })),
  ];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function toMap(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}
