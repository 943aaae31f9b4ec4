/** The files with the settings of a site, for the places and the spelling of `theme` in them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "#kernel";
import { nearestLine, parseYamlSource, type YamlSource } from "#kernel/internal";
import { isEqualValue } from "#lib/yaml";

/** Where settings stand, the first that exists; those of the mode (`env/dev/site.yaml`) come over these. */
const FOLDERS: readonly string[] = ["", "config"];

/** `site.yaml` of a site, and the one of its mode before it. */
export type SiteFiles = readonly YamlSource[];

/** Reads the files of a site root. `mode`: of the site; without one, only the file of all modes. */
export function readSiteFiles(root: string, mode?: string): SiteFiles {
  const folders = mode === undefined ? [""] : [join("env", mode), ""];
  return folders.flatMap((folder) => {
    const files = FOLDERS.map((place) => join(place, folder, "site.yaml"));
    const file = files.find((path) => existsSync(join(root, path)));
    return file === undefined ? [] : [parseYamlSource(file, readFileSync(join(root, file)))];
  });
}

/** A line of a file, relative to the root; null without one. */
export interface SitePlace {
  readonly file: string;
  readonly line: number | null;
}

/** The line of a key: in the first file that has it, else of the nearest key above it in the last file. */
export function placeOf(files: SiteFiles, path: readonly (string | number)[]): SitePlace {
  const source = files.find((one) => one.position(path) !== undefined) ?? files.at(-1);
  if (source === undefined) return { file: "site.yaml", line: null };
  return { file: source.file, line: nearestLine(source, path) ?? null };
}

/** `site.yaml:6`. */
export function formatPlace({ file, line }: SitePlace): string {
  return line === null ? file : `${file}:${line}`;
}

/** The texts of `theme.custom`, for values that one of the files has. */
export function customTexts(
  files: SiteFiles,
  custom: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const texts = files.toReversed().flatMap((source) => {
    const values = customOf(source.data);
    return Object.entries(customOf(source.texts)).filter(
      ([name]) => Object.hasOwn(custom, name) && isEqualValue(values[name], custom[name]),
    );
  });
  return Object.fromEntries(texts);
}

function customOf(data: unknown): Readonly<Record<string, unknown>> {
  const theme = isRecord(data) ? data["theme"] : undefined;
  const custom = isRecord(theme) ? theme["custom"] : undefined;
  return isRecord(custom) ? custom : {};
}
