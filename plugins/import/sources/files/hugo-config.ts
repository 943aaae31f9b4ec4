/** The configuration of a Hugo site, as far as addresses depend on it. */
import { isRecord } from "#kernel";
import { text } from "./common-matter.js";
import { parseJsonMap, parseTomlMap, parseYamlMap } from "./read-matter.js";
import { readConfigFile } from "../../write/source-file.js";

const CONFIGS = ["hugo", "config", "config/_default/hugo", "config/_default/config"];
const PARTS = ["languages", "permalinks"];
const FORMATS = [".toml", ".yaml", ".yml", ".json"];

/** A language with its folder of pages. */
interface HugoLanguage {
  readonly code: string;
  /** Below the site; that of the site when the language has none of its own. */
  readonly folder: string;
}
/** What is read of the configuration. */
export interface HugoConfig {
  readonly host: string | null;
  /** The main language first. */
  readonly languages: readonly HugoLanguage[];
  /** True when addresses of the main language have its prefix. */
  readonly hasMainPrefix: boolean;
  /** Section to pattern, such as `/:year/:slug/`. */
  readonly permalinks: ReadonlyMap<string, string>;
}

/** Reads the configuration; defaults for a missing or malformed one. */
export async function hugoConfig(root: string): Promise<HugoConfig> {
  const data = await firstOf(root, CONFIGS);
  for (const part of PARTS) data[part] ??= await firstOf(root, [`config/_default/${part}`]);
  const url = text(data["baseURL"] ?? data["baseurl"]) ?? "";
  return {
    host: URL.canParse(url) ? new URL(url).hostname : null,
    languages: languagesIn(data),
    hasMainPrefix: data["defaultContentLanguageInSubdir"] === true,
    permalinks: permalinksIn(data["permalinks"]),
  };
}

/** The main language first. */
function languagesIn(data: Readonly<Record<string, unknown>>): HugoLanguage[] {
  const main = text(data["defaultContentLanguage"]) ?? "en";
  const mounts = mountsIn(data["module"], main);
  const folderOf = (code: string): string =>
    mounts.get(code) ?? folderIn(data["contentDir"]) ?? "content";
  const given = isRecord(data["languages"]) ? Object.entries(data["languages"]) : [];
  const languages = given.map(([code, own]) => {
    const named = isRecord(own) ? folderIn(own["contentDir"]) : null;
    return { code, folder: named ?? folderOf(code) };
  });
  const first = languages.find(({ code }) => code === main);
  const others = languages.filter(({ code }) => code !== main);
  return [first ?? { code: main, folder: folderOf(main) }, ...others];
}

/** `./content/en/` as `content/en`. */
function folderIn(value: unknown): string | null {
  return (
    text(value)
      ?.replace(/^\.\//, "")
      .replace(/(?<!\/)\/+$/, "") ?? null
  );
}

/** Folders that are mounted as `content`, by language. */
function mountsIn(module: unknown, main: string): Map<string, string> {
  const given = isRecord(module) && Array.isArray(module["mounts"]) ? module["mounts"] : [];
  const mounts = new Map<string, string>();
  for (const mount of given) {
    const folder =
      isRecord(mount) && mount["target"] === "content" ? folderIn(mount["source"]) : null;
    if (folder !== null && isRecord(mount)) mounts.set(text(mount["lang"]) ?? main, folder);
  }
  return mounts;
}

/** Patterns by section, or those of pages by section. */
function permalinksIn(given: unknown): Map<string, string> {
  const all = isRecord(given) ? given : {};
  const pages = isRecord(all["page"]) ? all["page"] : all;
  return new Map(
    Object.entries(pages).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

async function firstOf(root: string, names: readonly string[]): Promise<Record<string, unknown>> {
  for (const name of names.flatMap((one) => FORMATS.map((format) => one + format))) {
    const source = await readConfigFile(root, name);
    if (source !== "") return mapIn(source, name);
  }
  return {};
}

function mapIn(source: string, name: string): Record<string, unknown> {
  const ending = FORMATS.find((format) => name.endsWith(format));
  const parse =
    ending === ".toml" ? parseTomlMap : ending === ".json" ? parseJsonMap : parseYamlMap;
  const map = parse(source);
  return "data" in map ? map.data : {};
}
