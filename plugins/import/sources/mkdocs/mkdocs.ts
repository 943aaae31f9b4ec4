/** MkDocs: the folder of a site, with `mkdocs.yml` and `docs/`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { readYaml } from "#lib/yaml";
import type { ImportItem } from "../../contract.js";
import { mkdocsMarks } from "../includes/include-marks.js";
import { mkdocsSidebar } from "../sidebar/list-sidebars.js";
import { fileKey } from "../../plan/address-key.js";
import { guessLanguages, type LanguageFolders } from "../languages.js";
import { readConfigFile } from "../source-files.js";
import { unreadKeys } from "../files/beside-content.js";
import { type MkdocsPlugins, mkdocsText } from "./mkdocs-text.js";
import { parsePosition, text, yamlValues } from "../files/front-matter.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  isIn,
  pathOfPage,
  toAddress,
} from "../files/folder-source.js";

interface NavPlace {
  readonly title: string | null;
  readonly position: number;
}

/** Keys of the configuration that are read, or that decide only how MkDocs builds. */
const READ = [
  ..."site_name site_description site_url docs_dir site_dir nav use_directory_urls".split(" "),
  ..."markdown_extensions repo_url repo_name edit_uri theme.name theme.language theme.logo theme.favicon".split(
    " ",
  ),
];

/** The source `mkdocs`. */
export const mkdocs = folderSource(
  "the folder of a site, with mkdocs.yml and docs/",
  async ({ root, paths }) => {
    const config = await readConfig(root);
    const docs = (text(config["docs_dir"]) ?? "docs").replaceAll(/^\.?\/|\/$/g, "");
    const theme = isRecord(config["theme"]) ? config["theme"] : {};
    const nav = readNav(config["nav"]);
    const url = text(config["site_url"]);
    const languages = readLanguages(config["plugins"], docs, paths);
    const plugins = pluginsOf(config);
    const texts: MkdocsPlugins = {
      variables: readVariables(config),
      hasReferences: ["mkdocstrings", "autorefs"].some((name) => plugins.has(name)),
    };
    const appended = await readAppended(root, config["markdown_extensions"]);
    const rules: FolderRules = {
      hosts: url !== null && URL.canParse(url) ? [new URL(url).hostname] : [],
      basePath: url !== null && URL.canParse(url) ? new URL(url).pathname : "",
      site: {
        title: text(config["site_name"]),
        description: text(config["site_description"]),
        language: text(theme["language"]),
        logo: text(theme["logo"]),
      },
      answersAtFolders: config["use_directory_urls"] !== false,
      linkRoots: [docs],
      extensions: [".md"],
      isIgnored: (path) => !isIn(path, docs) || /\.(?:css|js|html|py|scss)$/.test(path),
      isRead: (path) => path === "mkdocs.yml",
      unread: unreadKeys({ file: "mkdocs.yml", data: config, read: READ }),
      isPage: (path) => path.endsWith(".md"),
      // A label of Material in the navigation, such as `deprecated`, which hides nothing.
      keysLost: ["status"],
      place: (page) => placeIn(page, { docs, nav, languages }),
      extra: () => [...languages.notes, ...readRedirects(plugins.get("redirects"))],
      addressOf: (path) => toAddress(path.slice(docs.length + 1)),
      includes: mkdocsMarks([...snippetOptions(config["markdown_extensions"], "base_path"), docs]),
      transform: (body) => mkdocsText(body + appended, texts),
      sidebar: await mkdocsSidebar({ root, paths, folder: docs }, config["nav"]),
    };
    return rules;
  },
);

/** The languages of the site. */
interface MkdocsLanguages extends LanguageFolders {
  /** True: a folder for each; false: the language ends the name of a file, `page.de.md`. */
  readonly hasFolders: boolean;
  readonly paths: ReadonlySet<string>;
}
/** What decides the place of a page. */
interface MkdocsSite {
  /** The folder of the documents. */
  readonly docs: string;
  readonly nav: ReadonlyMap<string, NavPlace>;
  readonly languages: MkdocsLanguages;
}

/** The languages of the plugin i18n, or those that folders name. */
function readLanguages(plugins: unknown, docs: string, files: readonly string[]): MkdocsLanguages {
  const paths = new Set(files);
  const options = (Array.isArray(plugins) ? plugins : [plugins]).flatMap((one: unknown) =>
    isRecord(one) && isRecord(one["i18n"]) ? [one["i18n"]] : [],
  )[0];
  if (options === undefined) {
    const pages = files.filter((path) => path.endsWith(".md"));
    return { ...guessLanguages(pages, docs, null), hasFolders: true, paths };
  }
  const { languages: written } = options;
  const list = Array.isArray(written)
    ? written.filter(isRecord)
    : Object.keys(isRecord(written) ? written : {}).map((locale) => ({ locale, default: false }));
  const main =
    text(options["default_language"]) ??
    list.flatMap((one) => (one["default"] === true ? (text(one["locale"]) ?? []) : []))[0];
  const all = list
    .flatMap((one) => text(one["locale"]) ?? [])
    .filter((code) => code !== "default" && code !== "null");
  const codes = [...(main === undefined ? [] : [main]), ...all.filter((code) => code !== main)];
  const hasFolders = text(options["docs_structure"]) === "folder";
  return { codes, notes: [], hasFolders, paths };
}

/** The place of a page, or of a translation beside it. */
function placeIn(page: PageFile, { docs, nav, languages }: MkdocsSite): PlacedPage {
  const { codes, hasFolders, paths } = languages;
  const [main = ""] = codes;
  const below = page.path.slice(docs.length + 1);
  const code = codes.find((one) => (hasFolders ? isIn(below, one) : below.endsWith(`.${one}.md`)));
  if (code === undefined) return place(page, docs, nav);
  const bare = hasFolders ? below.slice(code.length + 1) : `${below.slice(0, -code.length - 4)}.md`;
  const placed = place({ ...page, path: `${docs}/${bare}` }, docs, nav);
  if (code === main) return placed;
  const mains = hasFolders
    ? [`${docs}/${main}/${bare}`]
    : [`${docs}/${bare}`, `${docs}/${bare.slice(0, -3)}.${main}.md`];
  const of = fileKey(mains.find((path) => paths.has(path)) ?? mains[0] ?? "");
  const addresses = placed.addresses.map((address) => toAddress(`/${code}${address}`));
  return { ...placed, addresses, translation: { lang: code, of } };
}

function place(
  { path, data }: PageFile,
  docs: string,
  nav: ReadonlyMap<string, NavPlace>,
): PlacedPage {
  const below = path.slice(docs.length + 1);
  const route = toAddress(pathOfPage(below));
  const there = nav.get(below) ?? nav.get(posix.dirname(below));
  return {
    route,
    template: "docs",
    addresses: [route, ...(route === "/" ? [] : [`${route}.html`])],
    position: parsePosition(data["weight"], data["order"], there?.position),
    matter:
      there?.title === null || there === undefined || data["title"] !== undefined
        ? {}
        : { nav_title: there.title },
  };
}

/** File to its place: the number of its entry, from 1. Folders have the place of their first entry. */
function readNav(nav: unknown): ReadonlyMap<string, NavPlace> {
  const places = new Map<string, NavPlace>();
  const walk = (items: unknown, depth: number): void => {
    if (!Array.isArray(items) || depth > 10) return;
    for (const item of items) {
      if (typeof item === "string") add(item, null);
      else if (isRecord(item)) {
        for (const [title, value] of Object.entries(item)) {
          if (typeof value === "string") add(value, title);
          else walk(value, depth + 1);
        }
      }
    }
  };
  const add = (path: string, title: string | null): void => {
    if (!path.endsWith(".md")) return;
    const file = path.replace(/^\.\//, "");
    places.set(file, { title, position: places.size + 1 });
  };
  walk(nav, 0);
  return places;
}

async function readConfig(root: string): Promise<Record<string, unknown>> {
  const source = await readConfigFile(root, "mkdocs.yml");
  // Also what can be read of a file with mistakes; tags such as `!!python/name:` are left out.
  const data = yamlValues(readYaml(source));
  return isRecord(data) ? data : {};
}

/** The plugins of the site, with their options. */
function pluginsOf(config: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const entries = [config["plugins"]]
    .flat()
    .flatMap((one: unknown): [string, unknown][] =>
      isRecord(one) ? Object.entries(one) : typeof one === "string" ? [[one, null]] : [],
    );
  return new Map(entries);
}

/** The redirects of the plugin of that name, from file to file or address. */
function readRedirects(options: unknown): ImportItem[] {
  const rules = isRecord(options) ? options["redirect_maps"] : undefined;
  return Object.entries(isRecord(rules) ? rules : {}).flatMap(([from, to]): ImportItem[] => {
    const target = text(to);
    if (target === null) return [];
    return [
      {
        kind: "redirect",
        origin: { file: "mkdocs.yml" },
        from: toAddress(pathOfPage(from)),
        to: targetOf(target),
      },
    ];
  });
}

/** The address of `guide.md#part`; an address on the web stays. */
function targetOf(target: string): string {
  if (/^https?:/.test(target)) return target;
  const [file = "", anchor] = target.split("#");
  return toAddress(pathOfPage(file)) + (anchor === undefined ? "" : `#${anchor}`);
}

/** What texts use as `{{ name }}`; null for a site without macros and without hooks, which replace it. */
function readVariables(config: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const names = [config["plugins"], config["markdown_extensions"]]
    .flat()
    .flatMap((one) => (isRecord(one) ? Object.keys(one) : [one]));
  const hasMacros = names.some((name) => typeof name === "string" && /(?:^|\.)macros$/.test(name));
  if (!hasMacros && config["hooks"] === undefined) return null;
  return { ...config, ...(isRecord(config["extra"]) && config["extra"]) };
}

/** The texts of an option of `pymdownx.snippets`: its folders (`base_path`), or its files (`auto_append`). */
function snippetOptions(extensions: unknown, option: "base_path" | "auto_append"): string[] {
  return [extensions].flat().flatMap((item: unknown) => {
    const options = isRecord(item) ? (item["pymdownx.snippets"] ?? item) : undefined;
    const values = isRecord(options) ? options[option] : undefined;
    return [values].flat().flatMap((one: unknown) => text(one) ?? []);
  });
}

/** The texts that follow those of each page, such as definitions of links and abbreviations. */
async function readAppended(root: string, extensions: unknown): Promise<string> {
  const folders = [...snippetOptions(extensions, "base_path"), "."];
  let appended = "";
  for (const name of snippetOptions(extensions, "auto_append")) {
    const texts = await Promise.all(
      folders.map(async (folder) => readConfigFile(root, posix.join(folder, name))),
    );
    const found = texts.find((one) => one !== "");
    if (found !== undefined) appended += `\n\n${found}`;
  }
  return appended;
}
