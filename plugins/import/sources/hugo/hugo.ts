/** Hugo: the folder of a site, with `content/` and `static/`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { fileKey } from "../../plan/address-key.js";
import { readConfigFile } from "../source-files.js";
import { parseDate, listOf, parsePosition, readMatter, text } from "../files/front-matter.js";
import {
  type FolderRules,
  folderSource,
  isIn,
  type PageFile,
  pathOfPage,
  type PlacedPage,
  toAddress,
} from "../files/folder-source.js";
import { hugoMarks } from "../includes/include-marks.js";
import { unreadKeys } from "../files/beside-content.js";
import { hugoConfig, type HugoConfig, PAGE } from "./hugo-config.js";
import { hugoText } from "./hugo-text.js";

const HTML = /\.html?$/;
/** Sections of articles with a date. */
const POSTS: ReadonlySet<string> = new Set([
  "post",
  "posts",
  "blog",
  "news",
  "article",
  "articles",
]);

/** Keys of the configuration that are read, or that decide only how Hugo builds. */
const READ = [
  ..."title baseURL baseurl languageCode locale defaultContentLanguage languages contentDir".split(
    " ",
  ),
  ..."defaultContentLanguageInSubdir permalinks module theme buildDrafts buildFuture enableGitInfo".split(
    " ",
  ),
  ..."copyright taxonomies params.description params.logo params.author".split(" "),
];

/** The page that a file contains. */
interface Identity {
  /** Below the folder of its language, without the language in its name. */
  readonly path: string;
  /** Null for the main language. */
  readonly lang: string | null;
  /** The file of the page in the main language. */
  readonly main: string;
}
interface Folder extends HugoConfig {
  readonly paths: ReadonlySet<string>;
}

/** The source `hugo`. */
export const hugo = folderSource(
  "the folder of a site, with content/ and static/",
  async ({ root, paths }) => {
    const config: Folder = { ...(await hugoConfig(root, paths)), paths: new Set(paths) };
    const cascades = await readCascades(root, paths);
    const folders = [...new Set([...config.languages.map(({ folder }) => folder), config.base])];
    const isContent = (path: string): boolean => folders.some((folder) => isIn(path, folder));
    const pages = pagesByName(
      paths.filter((path) => isContent(path) && PAGE.test(path)),
      config,
    );
    const base = { baseURL: text(config.data["baseURL"] ?? config.data["baseurl"]) };
    const rules: FolderRules = {
      hosts: config.host === null ? [] : [config.host],
      basePath: config.basePath,
      site: {
        title: text(config.data["title"]),
        description: text(config.params["description"]) ?? text(config.params["subtitle"]),
        language: text(config.data["locale"]) ?? text(config.data["languageCode"]),
        logo: text(config.params["logo"]),
      },
      answersAtFolders: true,
      linkRoots: [...new Set([...folders, "static", "assets"])],
      extensions: [".md", ".markdown", ".html"],
      extra: () => config.guess,
      isIgnored: (path) => !isContent(path) && !isIn(path, "static") && !isIn(path, "assets"),
      isRead: (path) => config.files.includes(path),
      unread: unreadKeys({ file: config.files[0] ?? "hugo.toml", data: config.data, read: READ }),
      isPage: (path) => isContent(path) && PAGE.test(path),
      place: (page) =>
        HTML.test(page.path) && Object.keys(page.data).length === 0
          ? { reason: "an HTML file without front matter: it is served as it is, not as a page" }
          : placePage(page, config),
      addressOf: (path) => {
        if (isIn(path, "static")) return toAddress(path.slice("static/".length));
        if (!isContent(path)) return null;
        const { path: below, lang } = findIdentity(path, config);
        return prefixed(toAddress(below), lang, config);
      },
      includes: hugoMarks([...new Set(folders), "static", "assets"]),
      transform: (body, { data, path }) =>
        hugoText(body, {
          params: [...paramsOf(data), ...cascades(path), config.params, base],
          refer: (target) => referTo(target, path, pages, config),
        }),
    };
    return rules;
  },
);

/** Pages by language and name: that of the file, or of the folder of an index. */
function pagesByName(
  paths: readonly string[],
  config: Folder,
): ReadonlyMap<string, readonly string[]> {
  const pages = new Map<string, string[]>();
  for (const path of paths) {
    const key = nameKey(posix.basename(pathOfPage(findIdentity(path, config).path)), path, config);
    pages.set(key, [...(pages.get(key) ?? []), path]);
  }
  return pages;
}

function nameKey(name: string, path: string, config: Folder): string {
  return `${findIdentity(path, config).lang ?? ""}/${name.toLowerCase()}`;
}

/**
 * What `{{< ref "name#part" >}}` in a page means: a page beside it, or the only page of that name in its language, as a
 * path from the root of the source; any other target stays.
 */
function referTo(
  target: string,
  path: string,
  pages: ReadonlyMap<string, readonly string[]>,
  config: Folder,
): string {
  const [, name = "", anchor = ""] = /^([^/?#]+)(#[^]*)?$/.exec(target) ?? [];
  const beside = posix.join(posix.dirname(path), name);
  const endings = ["", ".md", "/index.md", "/_index.md"];
  if (name === "" || endings.some((ending) => config.paths.has(beside + ending))) return target;
  const found = pages.get(nameKey(name.replace(PAGE, ""), path, config)) ?? [];
  return found.length === 1 ? `/${found[0]}${anchor}` : target;
}

/** The values that front matter gives texts: its keys, and those below `params`. */
function paramsOf(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  return isRecord(data["params"]) ? [data["params"], data] : [data];
}

/** What sections hand on to the pages below them with `cascade`, the nearest section first. */
async function readCascades(
  root: string,
  paths: readonly string[],
): Promise<(path: string) => Readonly<Record<string, unknown>>[]> {
  const byFolder = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
  for (const path of paths.filter((one) =>
    /(?:^|\/)_index(?:\.[\w-]+)?\.(?:md|markdown)$/.test(one),
  )) {
    const matter = readMatter(await readConfigFile(root, path));
    const cascade = "data" in matter ? matter.data["cascade"] : undefined;
    const values = (Array.isArray(cascade) ? cascade : [cascade])
      .filter(isRecord)
      .flatMap(paramsOf);
    if (values.length > 0) byFolder.set(posix.dirname(path), values);
  }
  return (path) => {
    const found: Readonly<Record<string, unknown>>[] = [];
    for (let at = posix.dirname(path); at !== "."; at = posix.dirname(at))
      found.push(...(byFolder.get(at) ?? []));
    return found;
  };
}

function placePage(page: PageFile, config: Folder): PlacedPage {
  const { data } = page;
  const { path, lang, main } = findIdentity(page.path, config);
  const route = toRoute(path, data);
  const aliases = listOf(data["aliases"]).map((alias) =>
    alias.startsWith("/")
      ? toAddress(alias)
      : prefixed(posix.join(posix.dirname(route), alias), lang, config),
  );
  const permalink = formatPermalink(path, data, config);
  const addresses = [...(permalink === null ? [] : [permalink]), route];
  return {
    route,
    template: pickTemplate(path),
    position: parsePosition(data["weight"]) || null,
    format: HTML.test(path) ? "html" : "markdown",
    ...(lang !== null && { translation: { lang, of: fileKey(main) } }),
    addresses: [
      ...addresses.map((address) => prefixed(address, lang, config)),
      ...listOf(data["url"]),
      ...aliases,
    ],
  };
}

/** Reads the language from its folder, or from the end of the name: `about.de.md`. */
function findIdentity(path: string, folder: Folder): Identity {
  const { languages } = folder;
  const mainFolder = languages[0]?.folder ?? "content";
  const language = languages
    .filter((one) => isIn(path, one.folder))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
  if (language === undefined) return identifyByName(path, folder.base, folder);
  if (language.folder === mainFolder) return identifyByName(path, mainFolder, folder);
  const below = path.slice(language.folder.length + 1);
  return { path: below, lang: language.code, main: `${mainFolder}/${below}` };
}

function identifyByName(path: string, folder: string, config: Folder): Identity {
  const below = path.slice(folder.length + 1);
  const { lang, bare } = splitLanguage(below);
  const isLanguage = config.languages.some(({ code }) => code.toLowerCase() === lang);
  const isPage = config.paths.has(`${folder}/${bare}`);
  if (lang === null || (!isLanguage && !isPage)) return { path: below, lang: null, main: path };
  const [main] = config.languages;
  const named = `${folder}/${bare.replace(PAGE, "")}.${main?.code}.md`;
  return {
    path: bare,
    lang: lang === main?.code.toLowerCase() ? null : lang,
    main: config.paths.has(named) ? named : `${folder}/${bare}`,
  };
}

/** Splits off what may be a language at the end of the name. */
function splitLanguage(path: string): { lang: string | null; bare: string } {
  const code = /\.([a-z]{2,3}(?:-[a-z]{2,4})?)\.(?:md|markdown|html?)$/i.exec(path)?.[1];
  if (code === undefined) return { lang: null, bare: path };
  return { lang: code.toLowerCase(), bare: path.replace(`.${code}.`, ".") };
}

function prefixed(
  address: string,
  lang: string | null,
  { languages, hasMainPrefix }: Folder,
): string {
  const code = lang ?? (hasMainPrefix ? languages[0]?.code : undefined);
  return code === undefined ? address : toAddress(posix.join("/", code, address));
}

function pickTemplate(path: string): string {
  const [section = "", ...rest] = path.split("/");
  if (section === "authors" && rest.length > 1) return "author";
  if (!POSTS.has(section) || rest.length === 0) return "default";
  if (!rest.at(-1)?.startsWith("_index.")) return "post";
  return rest.length === 1 ? "blog" : "default";
}

function toRoute(path: string, data: PageFile["data"]): string {
  const url = text(data["url"]);
  if (url?.startsWith("/") === true) return toAddress(url.replace(/\.html$/, ""));
  const slug = text(data["slug"]);
  const address = toAddress(pathOfPage(path).toLowerCase().replaceAll(" ", "-"));
  return slug === null || address === "/" ? address : posix.join(posix.dirname(address), slug);
}

/** The address by the pattern of the section; null without one. */
function formatPermalink(
  path: string,
  data: PageFile["data"],
  { permalinks }: Folder,
): string | null {
  const [section = ""] = path.split("/");
  const pattern = permalinks.get(section) ?? permalinks.get("/");
  if (pattern === undefined || posix.basename(path).startsWith("_index.")) return null;
  const values = placeholders(path, data);
  const address = pattern.replaceAll(
    /:([a-z]+)/g,
    (whole, key: string) => values.get(key) ?? whole,
  );
  return address.includes(":") ? null : toAddress(address);
}

/** The values of the names that patterns of addresses may use. */
function placeholders(path: string, data: PageFile["data"]): ReadonlyMap<string, string> {
  const bare = pathOfPage(path);
  const [year = "", month = "", day = ""] = (parseDate(data["date"]) ?? "").slice(0, 10).split("-");
  const name = posix.basename(bare).toLowerCase().replaceAll(" ", "-");
  const title = (text(data["title"]) ?? name).toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  const slug = text(data["slug"]);
  return new Map([
    ["year", year],
    ["month", month],
    ["day", day],
    ["title", title],
    ["slug", slug ?? title],
    ["filename", name],
    ["contentbasename", name],
    ["slugorfilename", slug ?? name],
    ["slugorcontentbasename", slug ?? name],
    ["section", path.split("/")[0] ?? ""],
    ["sections", posix.dirname(bare)],
  ]);
}
