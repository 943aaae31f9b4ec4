/** The file with the settings of a site, for the places and the spelling of `theme` in it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "#kernel";
import { nearestLine, parseYamlSource, type YamlSource } from "#kernel/internal";
import { isEqualValue } from "#lib/yaml";

/** Where the settings of a site stand, the first that exists. */
const FILES: readonly string[] = ["site.yaml", join("config", "site.yaml")];

/** The file, relative to the root, and what is in it. */
export interface SiteFile {
  readonly file: string;
  /** Null when it does not exist. */
  readonly source: YamlSource | null;
}

/** Reads the file of a site root. */
export function readSiteFile(root: string): SiteFile {
  const file = FILES.find((path) => existsSync(join(root, path)));
  if (file === undefined) return { file: "site.yaml", source: null };
  return { file, source: parseYamlSource(file, readFileSync(join(root, file))) };
}

/** `site.yaml:6`: the line of a key, or of the nearest one above. */
export function placeIn({ file, source }: SiteFile, path: readonly (string | number)[]): string {
  const line = nearestLine(source, path);
  return line === undefined ? file : `${file}:${line}`;
}

/** The texts of `theme.custom`, for the values that are those of this file: an overlay may have others. */
export function customTexts(
  { source }: SiteFile,
  custom: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values = customOf(source?.data);
  const texts = customOf(source?.texts);
  const own = Object.entries(texts).filter(
    ([name]) => Object.hasOwn(custom, name) && isEqualValue(values[name], custom[name]),
  );
  return Object.fromEntries(own);
}

function customOf(data: unknown): Readonly<Record<string, unknown>> {
  const theme = isRecord(data) ? data["theme"] : undefined;
  const custom = isRecord(theme) ? theme["custom"] : undefined;
  return isRecord(custom) ? custom : {};
}
