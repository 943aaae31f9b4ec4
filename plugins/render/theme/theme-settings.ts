/** The settings of a theme: the defaults of its chain, and `theme.custom` of the site, which is checked. */
import { join } from "node:path";
import { existsSync, readFileSync } from "node:fs";
import { type Field, type SettingsProblem, isRecord } from "#kernel";
import { coerceValue, fieldTexts, isEmpty, valueMistakes, type KindLookup } from "#lib/fields";
import { causeOf, formatKey, nearest } from "#lib/values";
import { isEqualValue, nearestLine, parseYamlSource, type YamlSource } from "#lib/yaml";
import type { ContentProblem } from "../../content/contract.js";
import { renderFailure } from "../errors.js";
import { manifestFailure, openKinds, settingFields, type Manifest } from "./manifest.js";

/** Longest value in a problem, in characters. */
const MAX_VALUE = 120;

/** The settings of a site for its theme. */
export interface CustomSettings {
  /** Absolute site root. */
  readonly root: string;
  readonly custom: Readonly<Record<string, unknown>>;
  /** `theme.look`; default: null, the first look of the theme. */
  readonly look?: string | null;
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
  const converted = mergeFields(chain, site).flatMap((field): [string, unknown][] => {
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
  return findMistakes(chain, site).map(({ path, received, expected, fix }) => ({
    file: "site",
    key: formatKey(["theme", "custom", ...path]),
    received,
    expected,
    fix,
  }));
}

/** The looks of a theme: its own, else those of the nearest parent that has some, the default first. */
export function chainLooks(
  chain: readonly Pick<ThemeSchema, "manifest">[],
): Readonly<Record<string, string>> {
  const own = chain.find(({ manifest }) => Object.keys(manifest.looks).length > 0);
  return own?.manifest.looks ?? {};
}

/** The look whose tokens a page loads; null for the first one, which is the theme as it is. */
export function shownLook(
  chain: readonly Pick<ThemeSchema, "manifest">[],
  look: string | null,
): string | null {
  const [, ...others] = Object.keys(chainLooks(chain));
  return look !== null && others.includes(look) ? look : null;
}

/** The problem of a `theme.look` that the theme does not have. */
export function lookProblems(
  chain: readonly ThemeSchema[],
  look: string | null,
): SettingsProblem[] {
  const names = Object.keys(chainLooks(chain));
  if (look === null || names.includes(look)) return [];
  const meant = nearest(look, names);
  const theme = chain[0]?.name ?? "";
  return [
    {
      file: "site",
      key: "theme.look",
      received: look,
      expected:
        names.length === 0
          ? `no look: the theme ${theme} has none`
          : `a look of the theme ${theme}: ${names.join(", ")}`,
      fix:
        names.length === 0
          ? "remove the key"
          : meant === null
            ? `use ${names.join(", ")}, or remove the key`
            : `did you mean ${meant}?`,
    },
  ];
}

/**
 * Checks the settings of a theme that becomes the active one.
 * @throws ERR_THEME_SETTING with file, line, key, value and what was expected; ERR_THEME_MANIFEST.
 */
export function assertSettings(chain: readonly ThemeSchema[], site: CustomSettings): void {
  assertConditions(chain, site.root);
  const [look] = lookProblems(chain, site.look ?? null);
  const [mistake] = findMistakes(chain, site);
  if (look !== undefined) throw settingFailure(site, ["theme", "look"], look);
  if (mistake !== undefined) {
    throw settingFailure(site, ["theme", "custom", ...mistake.path], mistake);
  }
}

/** The error of a setting, with its file and line. */
function settingFailure(
  site: CustomSettings,
  path: readonly (string | number)[],
  { received, expected, fix }: Pick<SettingsProblem, "received" | "expected" | "fix">,
): Error {
  const location = formatPlace(locateKey(readSiteFiles(site.root, site.mode), path));
  const why = causeOf({ key: formatKey(path), received, expected });
  const cause = new Error(`${why}\n${join(site.root, location)}:1`);
  return renderFailure("ERR_THEME_SETTING", `${location}: ${why}`, { fix, cause });
}

/** @throws ERR_THEME_MANIFEST for a condition that names no setting of the chain. */
export function assertConditions(chain: readonly ThemeSchema[], root: string): void {
  const fields = mergeFields(chain, {});
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
  const declared = [...new Set(chain.flatMap(({ manifest }) => Object.keys(manifest.fields)))];
  // A theme without a schema describes no settings.
  if (declared.length === 0) return [];
  const unknown = Object.keys(custom).filter((key) => !declared.includes(key));
  if (unknown.length === 0) return [];
  const files = readSiteFiles(root, mode);
  return unknown.map((key) => {
    const { file, line } = locateKey(files, ["theme", "custom", key]);
    const meant = nearest(key, declared);
    return {
      sourcePath: file,
      ...(line !== null && { line }),
      severity: "warning",
      code: "ERR_THEME_SETTING",
      key: `theme.custom.${key}`,
      value: (JSON.stringify(custom[key]) ?? "").slice(0, MAX_VALUE),
      message: `the theme ${chain[0]?.name ?? ""} has no setting ${JSON.stringify(key)}`,
      fix: meant === null ? `its settings are ${declared.join(", ")}` : `did you mean ${meant}?`,
    };
  });
}

function findMistakes(chain: readonly ThemeSchema[], site: CustomSettings) {
  return valueMistakes(mergeFields(chain, site), writtenCustom(chain, site));
}

/** The values in which settings of text kinds are the texts in the file: `release: 1.10`. */
function writtenCustom(
  chain: readonly ThemeSchema[],
  site: CustomSettings,
): Readonly<Record<string, unknown>> {
  const fields = mergeFields(chain, site);
  if (fields.length === 0 || Object.keys(site.custom).length === 0) return site.custom;
  return fieldTexts(
    fields,
    site.custom,
    customTexts(readSiteFiles(site.root, site.mode), site.custom),
  );
}

/** The settings of a chain; those of a theme come over those of its parents. */
export function mergeFields(
  chain: readonly Pick<ThemeSchema, "manifest">[],
  { kinds = openKinds() }: Pick<CustomSettings, "kinds">,
): readonly Field[] {
  const definitions = chain.toReversed().map(({ manifest }) => manifest.fields);
  return settingFields(Object.assign({}, ...definitions), kinds).fields;
}

/** Folders of `site.yaml`; the first that exists counts. Files of the mode (`env/dev/site.yaml`) come over it. */
const FOLDERS: readonly string[] = ["", "config"];

/** `site.yaml` of a site, and the one of its mode before it. */
type SiteFiles = readonly YamlSource[];

/** Reads the files of a site root. `mode`: of the site; without one, only the file of all modes. */
export function readSiteFiles(root: string, mode?: string): SiteFiles {
  const folders = mode === undefined ? [""] : [join("env", mode), ""];
  return folders.flatMap((folder) => {
    const files = FOLDERS.map((parent) => join(parent, folder, "site.yaml"));
    const file = files.find((path) => existsSync(join(root, path)));
    return file === undefined ? [] : [parseYamlSource(file, readFileSync(join(root, file)))];
  });
}

/** A line of a file, relative to the root; null without one. */
interface SitePlace {
  readonly file: string;
  readonly line: number | null;
}

/** The line of a key: in the first file that has it, else of the nearest key above it in the last file. */
export function locateKey(files: SiteFiles, path: readonly (string | number)[]): SitePlace {
  const source = files.find((one) => one.position(path) !== undefined) ?? files.at(-1);
  if (source === undefined) return { file: "site.yaml", line: null };
  return { file: source.file, line: nearestLine(source, path) ?? null };
}

/** `site.yaml:6`. */
export function formatPlace({ file, line }: SitePlace): string {
  return line === null ? file : `${file}:${line}`;
}

/** The texts of `theme.custom`, for values that one of the files has. */
function customTexts(
  files: SiteFiles,
  custom: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const texts = files.toReversed().flatMap((source) => {
    const values = readCustom(source.data);
    return Object.entries(readCustom(source.texts)).filter(
      ([name]) => Object.hasOwn(custom, name) && isEqualValue(values[name], custom[name]),
    );
  });
  return Object.fromEntries(texts);
}

function readCustom(data: unknown): Readonly<Record<string, unknown>> {
  const theme = isRecord(data) ? data["theme"] : undefined;
  const custom = isRecord(theme) ? theme["custom"] : undefined;
  return isRecord(custom) ? custom : {};
}
