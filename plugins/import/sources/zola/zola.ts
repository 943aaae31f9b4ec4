/** Zola: the folder of a site, with `content/` and `config.toml`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import type { ImportItem } from "../../contract.js";
import { fileKey } from "../../plan/address-key.js";
import { readConfigFile } from "../source-files.js";
import {
  listOf,
  parseDate,
  parsePosition,
  parseTomlMap,
  parseWords,
  readMatter,
  text,
} from "../files/front-matter.js";
import {
  folderSource,
  type FolderRules,
  isIn,
  type PageFile,
  type PlacedPage,
  splitDate,
  toAddress,
  toSlugAddress,
} from "../files/folder-source.js";
import { zolaText } from "./zola-text.js";

const PAGE = /\.md$/i;
const CONTENT = "content";
const CONFIGS = ["config.toml", "zola.toml"];
const POSTS: ReadonlySet<string> = new Set(["blog", "posts", "post", "news", "articles"]);
const KEYS_READ = [
  "taxonomies",
  "path",
  "extra",
  "page_template",
  "template",
  "insert_anchor_links",
  "generate_feeds",
  "generate_feed",
  "in_search_index",
  "render",
  "sort_by",
  "paginate_by",
  "paginate_path",
  "paginate_reversed",
  "language",
  "authors",
];
const KEYS_LOST = ["transparent", "redirect_to"];
const READ_SETTINGS: ReadonlySet<string> = new Set(
  "base_url title description default_language theme compile_sass minify_html hard_link_static feed_filenames feed_filename feed_limit generate_feeds generate_feed taxonomies languages build_search_index search markdown slugify link_checker ignored_content ignored_static output_dir author extra generate_sitemap generate_robots_txt translations".split(
    " ",
  ),
);

type Data = Readonly<Record<string, unknown>>;

interface Site {
  readonly config: Data;
  readonly main: string;
  readonly languages: readonly string[];
  readonly paths: ReadonlySet<string>;
  /** Folder of a section below `content/` to its front matter. */
  readonly sections: ReadonlyMap<string, Data>;
}

/** The source `zola`. */
export const zola = folderSource(
  "the folder of a site, with content/ and config.toml",
  async ({ root, paths }) => {
    const file = CONFIGS.find((name) => paths.includes(name)) ?? "config.toml";
    const parsed = parseTomlMap(await readConfigFile(root, file));
    const config = "data" in parsed ? parsed.data : {};
    const site: Site = {
      config,
      main: text(config["default_language"]) ?? "en",
      languages: Object.keys(isRecord(config["languages"]) ? config["languages"] : {}),
      paths: new Set(paths),
      sections: await readSections(root, paths),
    };
    const url = text(config["base_url"]) ?? "";
    const isPage = (path: string): boolean => isIn(path, CONTENT) && PAGE.test(path);
    const rules: FolderRules = {
      hosts: URL.canParse(url) ? [new URL(url).hostname] : [],
      basePath: URL.canParse(url) ? new URL(url).pathname : "",
      answersAtFolders: true,
      linkRoots: [CONTENT, "static"],
      extensions: [".md"],
      isIgnored: (path) => !isIn(path, CONTENT) && !isIn(path, "static"),
      isPage,
      keysRead: KEYS_READ,
      keysLost: KEYS_LOST,
      place: (page) => place(page, site),
      addressOf: (path) => fileAddress(path),
      site: { title: text(config["title"]), description: text(config["description"]) },
      transform: (body) => zolaText(body),
      extra: () => extra(config, file, paths),
    };
    return rules;
  },
);

function fileAddress(path: string): string {
  return toAddress(path.slice(path.indexOf("/") + 1));
}

/** The front matter of each `_index.md` of the main language. */
async function readSections(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Data>> {
  const sections = new Map<string, Data>();
  for (const path of paths.filter(
    (one) => isIn(one, CONTENT) && posix.basename(one) === "_index.md",
  )) {
    const matter = readMatter(await readConfigFile(root, path));
    if ("data" in matter) sections.set(posix.dirname(path).slice(CONTENT.length + 1), matter.data);
  }
  return sections;
}

/** What a file of `content/` is. */
interface ZolaFile {
  readonly isSection: boolean;
  /** Null for the main language. */
  readonly lang: string | null;
  /** The file below `content/` without its language. */
  readonly below: string;
  /** Its path without the names of indexes and endings. */
  readonly bare: string;
  /** The folder of its section below `content/`; empty at the top. */
  readonly section: string;
}

function identify(path: string, site: Site): ZolaFile {
  const { below, lang } = splitLanguage(path.slice(CONTENT.length + 1), site);
  const name = posix.basename(below);
  const isSection = name === "_index.md";
  const isFolder = isSection || name === "index.md";
  const bare = isFolder ? folderOf(below) : below.replace(PAGE, "");
  return { isSection, lang, below, bare, section: isSection ? bare : folderOf(bare) };
}

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}

function place(page: PageFile, site: Site): PlacedPage | { readonly reason: string } {
  const { data } = page;
  const { isSection, lang, below, bare, section } = identify(page.path, site);
  if (isSection && data["render"] === false)
    return { reason: "a section that is not rendered: no page" };
  const route = routeOf(bare, isSection, data);
  const date =
    parseDate(data["date"]) ?? (isSection ? null : splitZolaDate(posix.basename(bare)).date);
  const isBlog =
    site.sections.get(section)?.["sort_by"] === "date" || POSTS.has(bare.split("/")[0] ?? "");
  return {
    route,
    template: templateOf(isSection, isBlog, date),
    position: parsePosition(data["weight"]),
    addresses: [
      toAddress(posix.join("/", lang ?? "", route)),
      ...listOf(data["aliases"]).map((alias) => toAddress(alias.replace(/\/index\.html$/, ""))),
    ],
    ...(lang !== null && { translation: { lang, of: fileKey(mainFile(below, site)) } }),
    matter: {
      date,
      author: text(listOf(data["authors"])[0]),
      taxonomy: taxonomyOf(data["taxonomies"]),
      custom: isRecord(data["extra"]) ? data["extra"] : {},
      ...(isSection && isBlog && listing(route)),
    },
  };
}

function routeOf(bare: string, isSection: boolean, data: Data): string {
  const own = text(data["path"]);
  if (own !== null) return toAddress(own);
  if (isSection) return toSlugAddress(bare);
  const name =
    text(data["slug"]) ?? toSlugAddress(splitZolaDate(posix.basename(bare)).rest).slice(1);
  return toAddress(posix.join(toSlugAddress(folderOf(bare)), name));
}

function templateOf(isSection: boolean, isBlog: boolean, date: string | null): string {
  if (!isBlog) return "default";
  if (isSection) return "blog";
  return date === null ? "default" : "post";
}

/** The pages of a section by date, the newest first. */
function listing(route: string) {
  return {
    collection: {
      items: { "@page.children": route },
      order: { by: "date", dir: "desc" },
      limit: 20,
    },
  };
}

/** `page.fr.md` when the site has the language. */
function splitLanguage(
  below: string,
  { languages, main }: Site,
): { below: string; lang: string | null } {
  const code = /\.([\w-]{2,10})\.md$/.exec(below)?.[1];
  const isLanguage = code !== undefined && (languages.includes(code) || code === main);
  if (!isLanguage) return { below, lang: null };
  const bare = below.replace(new RegExp(`\\.${code}\\.md$`), ".md");
  return { below: bare, lang: code === main ? null : code };
}

function mainFile(below: string, { paths, main }: Site): string {
  const file = `${CONTENT}/${below}`;
  const named = file.replace(PAGE, `.${main}.md`);
  return paths.has(named) ? named : file;
}

/** A day in front, with a dash or a line after it. */
function splitZolaDate(name: string): { date: string | null; rest: string } {
  const [, day, rest] = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.+Z-]*)?[_-](.+)$/.exec(name) ?? [];
  return day === undefined || rest === undefined ? splitDate(name) : { date: day, rest };
}

function taxonomyOf(value: unknown): Record<string, string[]> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  const names: Readonly<Record<string, string>> = { tags: "tag", categories: "category" };
  return Object.fromEntries(
    entries.map(([name, terms]) => [names[name] ?? name, parseWords(terms)]),
  );
}

function extra(config: Data, file: string, paths: readonly string[]): ImportItem[] {
  const settings = Object.keys(config)
    .filter((key) => !READ_SETTINGS.has(key))
    .map((key): ImportItem => ({
      kind: "notImported",
      origin: { file },
      reason: `the setting ${key} has no counterpart`,
    }));
  const theme = paths.filter((path) => /^(?:templates|sass|themes)\//.test(path));
  const [first] = theme;
  if (first === undefined) return settings;
  const reason = `templates and styles have no counterpart (${theme.length} files)`;
  return [...settings, { kind: "notImported", origin: { file: first }, reason }];
}
