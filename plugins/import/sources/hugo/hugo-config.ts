/** The configuration of a site of Hugo: languages, folders and patterns of addresses. */
import { isRecord } from "#kernel";
import { guessLanguages, type LanguageFolders } from "../languages.js";
import { readConfigFile } from "../source-files.js";
import { parseJsonMap, parseTomlMap, parseYamlMap, text } from "../files/front-matter.js";

/** Files that are pages. */
export const PAGE = /\.(?:md|markdown|html?)$/;

const CONFIGS = ["hugo", "config", "config/_default/hugo", "config/_default/config"];
const LANGUAGE_FILE =
  /^config\/_default\/languages\.([a-z]{2,3}(?:[-_][a-z0-9]{2,8})?)\.(?:toml|ya?ml|json)$/i;
const PARTS = ["languages", "permalinks", "params"];
const FORMATS = [".toml", ".yaml", ".yml", ".json"];

/** A language with its folder of pages. */
interface HugoLanguage {
  readonly code: string;
  /** Below the site; that of the site when the language has none of its own. */
  readonly folder: string;
}
/** The configuration, as far as addresses depend on it. */
export interface HugoConfig {
  readonly host: string | null;
  /** The path of the site on its host. */
  readonly basePath: string;
  /** The main language first. */
  readonly languages: readonly HugoLanguage[];
  /** The folder of pages that are in no folder of a language. */
  readonly base: string;
  /** What the report says about languages that only folders name; null for none. */
  readonly guess: LanguageFolders["notes"];
  /** True when addresses of the main language have its prefix. */
  readonly hasMainPrefix: boolean;
  /** Section to pattern, such as `/:year/:slug/`. */
  readonly permalinks: ReadonlyMap<string, string>;
  /** Values that templates and texts use by name. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The files that were read. */
  readonly files: readonly string[];
  /** All of it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads the configuration; defaults for a missing or malformed one. */
export async function hugoConfig(root: string, paths: readonly string[]): Promise<HugoConfig> {
  const files: string[] = [];
  const data = await readFirst(root, CONFIGS, files);
  for (const part of PARTS)
    data[part] ??= await readFirst(root, [`config/_default/${part}`], files);
  data["languages"] = { ...(await readLanguageFiles(root, paths)), ...toMap(data["languages"]) };
  const url = text(data["baseURL"] ?? data["baseurl"]) ?? "";
  return {
    host: URL.canParse(url) ? new URL(url).hostname : null,
    basePath: URL.canParse(url) ? new URL(url).pathname : "",
    ...withGuess(readLanguages(data), data, paths),
    hasMainPrefix: data["defaultContentLanguageInSubdir"] === true,
    permalinks: readPermalinks(data["permalinks"]),
    params: isRecord(data["params"]) ? data["params"] : {},
    files,
    data,
  };
}

/** The languages in files of their own, `config/_default/languages.de.toml`. */
async function readLanguageFiles(
  root: string,
  paths: readonly string[],
): Promise<Record<string, unknown>> {
  const languages: Record<string, unknown> = {};
  for (const path of paths) {
    const code = LANGUAGE_FILE.exec(path)?.[1];
    if (code !== undefined) languages[code] = parseMap(await readConfigFile(root, path), path);
  }
  return languages;
}

/** The languages, or those that folders name when the configuration has none. */
function withGuess(
  languages: readonly HugoLanguage[],
  data: Readonly<Record<string, unknown>>,
  paths: readonly string[],
): Pick<HugoConfig, "languages" | "guess" | "base"> {
  const [main] = languages;
  const base = main?.folder ?? "content";
  if (Object.keys(toMap(data["languages"])).length > 0) return { languages, base, guess: [] };
  const pages = paths.filter((path) => PAGE.test(path));
  const guessed = guessLanguages(pages, base, text(data["defaultContentLanguage"]));
  if (guessed.codes.length === 0) return { languages, base, guess: [] };
  const folders = guessed.codes.map((code) => ({ code, folder: `${base}/${code}` }));
  return { languages: folders, base, guess: guessed.notes };
}

function toMap(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The main language first. */
function readLanguages(data: Readonly<Record<string, unknown>>): HugoLanguage[] {
  const main = text(data["defaultContentLanguage"]) ?? "en";
  const mounts = readMounts(data["module"], main);
  const findFolder = (code: string): string =>
    mounts.get(code) ?? parseFolder(data["contentDir"]) ?? "content";
  const entries = isRecord(data["languages"]) ? Object.entries(data["languages"]) : [];
  const languages = entries.map(([code, options]) => {
    const folder = isRecord(options) ? parseFolder(options["contentDir"]) : null;
    return { code, folder: folder ?? findFolder(code) };
  });
  const first = languages.find(({ code }) => code === main);
  const others = languages.filter(({ code }) => code !== main);
  return [first ?? { code: main, folder: findFolder(main) }, ...others];
}

/** `./content/en/` as `content/en`. */
function parseFolder(value: unknown): string | null {
  return (
    text(value)
      ?.replace(/^\.\//, "")
      .replace(/(?<!\/)\/+$/, "") ?? null
  );
}

/** Folders that are mounted as `content`, by language. */
function readMounts(module: unknown, main: string): Map<string, string> {
  const list = isRecord(module) && Array.isArray(module["mounts"]) ? module["mounts"] : [];
  const mounts = new Map<string, string>();
  for (const mount of list) {
    const folder =
      isRecord(mount) && mount["target"] === "content" ? parseFolder(mount["source"]) : null;
    if (folder !== null && isRecord(mount)) mounts.set(text(mount["lang"]) ?? main, folder);
  }
  return mounts;
}

/** Patterns by section, or those of pages by section. */
function readPermalinks(value: unknown): Map<string, string> {
  const all = isRecord(value) ? value : {};
  const pages = isRecord(all["page"]) ? all["page"] : all;
  return new Map(
    Object.entries(pages).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

async function readFirst(
  root: string,
  names: readonly string[],
  files: string[],
): Promise<Record<string, unknown>> {
  for (const name of names.flatMap((one) => FORMATS.map((format) => one + format))) {
    const source = await readConfigFile(root, name);
    if (source === "") continue;
    files.push(name);
    return parseMap(source, name);
  }
  return {};
}

function parseMap(source: string, name: string): Record<string, unknown> {
  const ending = FORMATS.find((format) => name.endsWith(format));
  const parse =
    ending === ".toml" ? parseTomlMap : ending === ".json" ? parseJsonMap : parseYamlMap;
  const map = parse(source);
  return "data" in map ? map.data : {};
}
