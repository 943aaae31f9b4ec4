/** The settings of a theme: the defaults of its chain, and `theme.custom` of the site, which is checked. */
import { join } from "node:path";
import type { Field, SettingsProblem } from "#kernel";
import {
  causeOf,
  coerceValue,
  fieldTexts,
  formatKey,
  isEmpty,
  nearest,
  valueMistakes,
  type KindLookup,
} from "#kernel/internal";
import type { ContentProblem } from "../../content/contract.js";
import { renderFailure } from "../errors.js";
import { manifestFailure, openKinds, settingFields, type Manifest } from "./manifest.js";
import { customTexts, formatPlace, placeOf, readSiteFiles } from "./site-file.js";

/** Longest value in a problem, in characters. */
const MAX_VALUE = 120;

/** The settings of a site for its theme. */
export interface CustomSettings {
  /** Absolute site root. */
  readonly root: string;
  readonly custom: Readonly<Record<string, unknown>>;
  /** Kinds that settings may have; default: any. */
  readonly kinds?: KindLookup | undefined;
  /** Mode of the site: see `readSiteFiles`. */
  readonly mode?: string | undefined;
}
/** A theme as far as its settings need it. */
export interface ThemeSchema {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The settings that templates get: defaults of the chain, then `theme.custom` as the kinds convert it. */
export function themeConfig(
  chain: readonly ThemeSchema[],
  site: CustomSettings,
): Readonly<Record<string, unknown>> {
  const defaults = chain.toReversed().map(({ manifest }) => manifest.defaults);
  const custom = writtenCustom(chain, site);
  const converted = fieldsOf(chain, site).flatMap((field): [string, unknown][] => {
    const value = Object.hasOwn(custom, field.name) ? custom[field.name] : undefined;
    return isEmpty(value) ? [] : [[field.name, coerceValue(field, value)]];
  });
  return Object.assign({}, ...defaults, custom, Object.fromEntries(converted));
}

/** The values of `theme.custom` that do not fit `config_schema`, as `config:validate` reports them. */
export function customProblems(
  chain: readonly ThemeSchema[],
  site: CustomSettings,
): SettingsProblem[] {
  return mistakesOf(chain, site).map(({ path, received, expected, fix }) => ({
    file: "site",
    key: formatKey(["theme", "custom", ...path]),
    received,
    expected,
    fix,
  }));
}

/**
 * Checks the settings of a theme that becomes the active one.
 * @throws ERR_THEME_SETTING with file, line, key, value and what was expected; ERR_THEME_MANIFEST.
 */
export function assertSettings(chain: readonly ThemeSchema[], site: CustomSettings): void {
  assertConditions(chain, site.root);
  const [mistake] = mistakesOf(chain, site);
  if (mistake === undefined) return;
  const { received, expected, fix } = mistake;
  const path = ["theme", "custom", ...mistake.path];
  const place = formatPlace(placeOf(readSiteFiles(site.root, site.mode), path));
  const why = causeOf({ key: formatKey(path), received, expected });
  const cause = new Error(`${why}\n${join(site.root, place)}:1`);
  throw renderFailure("ERR_THEME_SETTING", `${place}: ${why}`, { fix, cause });
}

/** @throws ERR_THEME_MANIFEST for a condition that names no setting of the chain. */
export function assertConditions(chain: readonly ThemeSchema[], root: string): void {
  const fields = fieldsOf(chain, { root, custom: {} });
  const names = fields.map(({ name }) => name);
  for (const { folder, manifest } of chain) {
    for (const { name, when } of settingFields(manifest.fields, openKinds()).fields) {
      const other = Object.keys(when ?? {}).find((one) => !names.includes(one));
      if (other === undefined) continue;
      const meant = nearest(other, names);
      const fix = meant === null ? `name one of ${names.join(", ")}` : `did you mean ${meant}?`;
      const path = ["config_schema", name, "when", other];
      const why = `${formatKey(path)}: there is no setting ${JSON.stringify(other)}`;
      throw manifestFailure({ folder, root }, { path, why, fix });
    }
  }
}

/** A warning for each key of `theme.custom` that no theme of the chain has in its `config_schema`. */
export function settingProblems(
  chain: readonly ThemeSchema[],
  { root, custom, mode }: CustomSettings,
): ContentProblem[] {
  const known = [...new Set(chain.flatMap(({ manifest }) => Object.keys(manifest.fields)))];
  // A theme without a schema describes no settings.
  if (known.length === 0) return [];
  const unknown = Object.keys(custom).filter((key) => !known.includes(key));
  if (unknown.length === 0) return [];
  const files = readSiteFiles(root, mode);
  return unknown.map((key) => {
    const { file, line } = placeOf(files, ["theme", "custom", key]);
    const meant = nearest(key, known);
    return {
      sourcePath: file,
      ...(line !== null && { line }),
      severity: "warning",
      code: "ERR_THEME_SETTING",
      key: `theme.custom.${key}`,
      value: (JSON.stringify(custom[key]) ?? "").slice(0, MAX_VALUE),
      message: `the theme ${chain[0]?.name ?? ""} has no setting ${JSON.stringify(key)}`,
      fix: meant === null ? `its settings are ${known.join(", ")}` : `did you mean ${meant}?`,
    };
  });
}

function mistakesOf(chain: readonly ThemeSchema[], site: CustomSettings) {
  return valueMistakes(fieldsOf(chain, site), writtenCustom(chain, site));
}

/** The values in which settings of text kinds are the texts in the file: `release: 1.10`. */
function writtenCustom(
  chain: readonly ThemeSchema[],
  site: CustomSettings,
): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(chain, site);
  if (fields.length === 0 || Object.keys(site.custom).length === 0) return site.custom;
  return fieldTexts(
    fields,
    site.custom,
    customTexts(readSiteFiles(site.root, site.mode), site.custom),
  );
}

/** The settings of a chain; those of a theme come over those of its parents. */
function fieldsOf(
  chain: readonly ThemeSchema[],
  { kinds = openKinds() }: CustomSettings,
): readonly Field[] {
  const definitions = chain.toReversed().map(({ manifest }) => manifest.fields);
  return settingFields(Object.assign({}, ...definitions), kinds).fields;
}
