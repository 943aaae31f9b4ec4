/** Jekyll: the folder of a site, with `_posts/` and `_config.yml`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { toSlug } from "../../plan/safe-name.js";
import {
  parseDate,
  listOf,
  parseJsonMap,
  parsePosition,
  text,
  parseWords,
  parseYamlMap,
} from "./front-matter.js";
import {
  folderSource,
  type FolderRules,
  type NoPage,
  type PageFile,
  type PlacedPage,
  pathOfPage,
  splitDate,
  toAddress,
} from "./folder-source.js";
import { liquidMarks } from "../includes/include-marks.js";
import { unreadKeys } from "./beside-content.js";
import { liquidText, withoutRawMarks } from "../../text/liquid-text.js";
import { readConfigFile } from "../source-files.js";

const STYLES: Readonly<Record<string, string>> = {
  date: "/:categories/:year/:month/:day/:title.html",
  pretty: "/:categories/:year/:month/:day/:title/",
  ordinal: "/:categories/:year/:y_day/:title.html",
  weekdate: "/:categories/:year/W:week/:short_day/:title.html",
  none: "/:categories/:title.html",
};
const IGNORED =
  /(?:^|\/)(?:_site|_layouts|_includes|_sass|_data|_plugins|node_modules|vendor|bin|script|scripts|spec|test)\/|^(?:Gemfile.*|_config.*|.*\.gemspec|LICENSE|CNAME|Rakefile|package(?:-lock)?\.json)$|\.(?:scss|sass|css|js|xml|yml|yaml|rb|less|map|liquid)$/i;
const DATA = /^_data\/(.+)\.(?:ya?ml|json)$/;
const PAGE = /\.(?:md|markdown|html?)$/i;
const HTML = /\.html?$/i;
/** Keys of the configuration that are read, or that decide only how Jekyll builds. */
const READ = [
  ..."title tagline description lang locale logo author url baseurl permalink defaults".split(" "),
  ..."markdown kramdown highlighter exclude include source destination timezone encoding".split(
    " ",
  ),
  ..."safe incremental collections repository show_drafts future".split(" "),
];
/** Tags by which a template makes a page from others. */
const TEMPLATE = /\{%-?\s*(for|if|unless|case|assign|capture|include|paginate)\b/;

/** The source `jekyll`. */
export const jekyll = folderSource(
  "the folder of a site, with _posts/ and _config.yml",
  async ({ root, paths }) => {
    const settings = await readConfig(root);
    const config: Record<string, unknown> = { data: await readData(root, paths), ...settings };
    const hasIndex = paths.some((path) => /^index\.(?:md|markdown|html?)$/i.test(path));
    const url = text(config["url"]);
    const rules: FolderRules = {
      hosts: url !== null && URL.canParse(url) ? [new URL(url).hostname] : [],
      basePath: text(config["baseurl"]) ?? "",
      site: {
        title: text(config["title"]),
        description: text(config["tagline"]) ?? text(config["description"]),
        language: text(config["lang"]) ?? text(config["locale"]),
        logo: text(config["logo"]),
      },
      extensions: [".md", ".markdown", ".html"],
      isIgnored: (path) => IGNORED.test(path),
      isRead: (path) => path === "_config.yml",
      unread: unreadKeys({ file: "_config.yml", data: settings, read: READ }),
      isPage: (path) => PAGE.test(path),
      place: (page) => reasonOf(page, hasIndex) ?? redirectOf(page, config) ?? place(page, config),
      lostAddresses: (page) => place(page, config).addresses,
      defaultsOf: (path) => defaultsFor(path, config["defaults"]),
      addressOf: (path) => toAddress(path),
      includes: liquidMarks(["_includes"]),
      transform: (body) => liquidText(withoutRawMarks(body), { site: config }),
    };
    return rules;
  },
);

/** Documents of a repository at the top: pages only with front matter. */
const DOCUMENT =
  /^(?:README|CONTRIBUTING|CHANGELOG|HISTORY|LICEN[CS]E|CODE_OF_CONDUCT|SECURITY)\.(?:md|markdown)$/i;

/** Why a file is no page here; null for a page. */
function reasonOf({ path, data, body }: PageFile, hasIndex: boolean): { reason: string } | null {
  // GitHub shows README.md where there is no other start.
  const isHome = /^readme\./i.test(path) && !hasIndex;
  if (DOCUMENT.test(path) && !isHome && Object.keys(data).length === 0)
    return { reason: "a Markdown file without front matter, which Jekyll sends as it is: no page" };
  if (!HTML.test(path)) return null;
  if (Object.keys(data).length === 0)
    return { reason: "an HTML file without front matter: it is served as it is, not as a page" };
  const tag = TEMPLATE.exec(body)?.[1];
  return tag === undefined ? null : { reason: `a page that a template makes: {% ${tag} %}` };
}

/** The target of a page that only leads to another one, by `redirect_to`; null for any other page. */
function redirectOf(page: PageFile, config: Readonly<Record<string, unknown>>): NoPage | null {
  const { redirect_to: to } = page.data;
  const target = text(Array.isArray(to) ? to[0] : to);
  return target === null
    ? null
    : { redirect: target, from: place(page, config).addresses[0] ?? "" };
}

/** The values of `defaults` whose scope a file is in; later ones replace earlier ones. */
function defaultsFor(path: string, defaults: unknown): Record<string, unknown> {
  const collection = /(?:^|\/)_(posts|drafts)\//.exec(path)?.[1] ?? /^_([\w-]+)\//.exec(path)?.[1];
  const values: Record<string, unknown> = {};
  for (const entry of Array.isArray(defaults) ? defaults : []) {
    if (!isRecord(entry) || !isRecord(entry["scope"]) || !isRecord(entry["values"])) continue;
    const folder = text(entry["scope"]["path"]) ?? "";
    const type = text(entry["scope"]["type"]);
    const isInScope = folder === "" || `${path}/`.startsWith(`${folder.replace(/\/$/, "")}/`);
    if (isInScope && (type === null || type === (collection ?? "pages"))) {
      Object.assign(values, entry["values"]);
    }
  }
  return values;
}

function place(page: PageFile, config: Readonly<Record<string, unknown>>): PlacedPage {
  const { path, data } = page;
  if (/(?:^|\/)_(?:drafts|posts)\//.test(path)) return placePost(page, config);
  const collection = /^_([\w-]+)\//.exec(path)?.[1];
  const bare = collection === undefined ? path : path.slice(1);
  const permalink = text(data["permalink"]) ?? patternOf(collection, config);
  const route =
    permalink === null
      ? toAddress(pathOfPage(bare))
      : toAddress(filledPermalink(permalink, bare, collection, data));
  const isHome = route === "/index";
  return {
    route: isHome ? "/" : route,
    template: "default",
    position: parsePosition(data["nav_order"], data["order"], data["weight"]) || null,
    addresses: [route, ...(route === "/" ? [] : [`${route}.html`]), ...redirectsOf(data)],
    format: HTML.test(path) ? "html" : "markdown",
    // A page of a folder answers with a slash, as those do whose pattern ends with one.
    answersAtFolder:
      permalink === null ? pathOfPage(bare) !== bare.replace(PAGE, "") : permalink.endsWith("/"),
  };
}

/** The pattern of addresses of a collection, or of pages; null for the path of the file. */
function patternOf(
  collection: string | undefined,
  config: Readonly<Record<string, unknown>>,
): string | null {
  if (collection === undefined) {
    const pattern = text(config["permalink"]);
    return pattern !== null && (pattern === "pretty" || pattern.endsWith("/")) ? "/:path/" : null;
  }
  const collections = isRecord(config["collections"]) ? config["collections"] : {};
  const options = collections[collection];
  return isRecord(options) ? text(options["permalink"]) : null;
}

/** The address that a pattern gives a page or a document of a collection. */
function filledPermalink(
  pattern: string,
  path: string,
  collection: string | undefined,
  data: PageFile["data"],
): string {
  const below = collection === undefined ? path : path.slice(collection.length + 1);
  const name = posix.basename(path).replace(PAGE, "");
  const values: Readonly<Record<string, string>> = {
    collection: collection ?? "",
    path: collection === undefined ? pathOfPage(below) : below.replace(PAGE, ""),
    basename: name,
    name,
    title: text(data["slug"]) ?? name,
    slug: text(data["slug"]) ?? name,
    output_ext: "",
  };
  const filled = pattern
    .replace(/:output_ext$|\.html$/, "")
    .replaceAll(/:(\w+)/g, (_, key: string) => values[key] ?? "");
  return filled.replaceAll(/\/{2,}/g, "/");
}

function placePost(
  { path, data }: PageFile,
  config: Readonly<Record<string, unknown>>,
): PlacedPage {
  const isDraft = /(?:^|\/)_drafts\//.test(path);
  const { date: day, rest } = splitDate(posix.basename(path).replace(PAGE, ""));
  const date = parseDate(data["date"]) ?? day;
  const categories = data["categories"] ?? data["category"];
  const pattern =
    text(data["permalink"]) ?? patternOf("posts", config) ?? text(config["permalink"]) ?? "date";
  const names = [...foldersAbove(path), ...spaced(categories)];
  const old = formatPermalink(STYLES[pattern] ?? pattern, date, rest, names);
  return {
    route: `/blog/${toSlug(text(data["slug"]) ?? rest)}`,
    template: "post",
    position: null,
    addresses: [old, ...redirectsOf(data)],
    answersAtFolder: (STYLES[pattern] ?? pattern).endsWith("/"),
    matter: {
      date,
      taxonomy: { category: spaced(categories), tag: spaced(data["tags"] ?? data["tag"]) },
      ...(isDraft && { status: "draft" }),
    },
  };
}

/** Folders above `_posts` are categories. */
function foldersAbove(path: string): string[] {
  const above = path.includes("_posts/") ? path.slice(0, path.indexOf("_posts/")) : "";
  return above.split("/").filter((part) => part !== "");
}

/** Lists in a text are separated by spaces. */
function spaced(value: unknown): string[] {
  return parseWords(
    typeof value === "string" ? value.split(value.includes(",") ? "," : /\s+/) : value,
  );
}

function formatPermalink(
  pattern: string,
  date: string | null,
  title: string,
  categories: readonly string[],
): string {
  const [year = "", month = "", day = ""] = (date ?? "").slice(0, 10).split("-");
  const values: Readonly<Record<string, string>> = {
    categories: categories.map((one) => one.toLowerCase().replaceAll(" ", "-")).join("/"),
    year,
    month,
    day,
    title,
    slug: title,
    short_year: year.slice(2),
    i_month: String(Number(month)),
    i_day: String(Number(day)),
    output_ext: ".html",
  };
  const filled = pattern.replaceAll(
    /:(\w+)/g,
    (whole: string, name: string) => values[name] ?? whole,
  );
  return toAddress(filled.replaceAll(/\/{2,}/g, "/"));
}

function redirectsOf(data: PageFile["data"]): string[] {
  return listOf(data["redirect_from"]).map((one) => toAddress(one));
}

async function readConfig(root: string): Promise<Record<string, unknown>> {
  const source = await readConfigFile(root, "_config.yml");
  const parsed = parseYamlMap(source);
  return "data" in parsed && isRecord(parsed.data) ? parsed.data : {};
}

/** The files of `_data/`, by their path: texts use `site.data.people.ann`. */
async function readData(root: string, paths: readonly string[]): Promise<Record<string, unknown>> {
  const data: Record<string, unknown> = {};
  for (const path of paths.filter((one) => DATA.test(one))) {
    const source = await readConfigFile(root, path);
    const parsed = path.endsWith(".json") ? parseJsonMap(source) : parseYamlMap(source);
    if (!("data" in parsed)) continue;
    const parts = path.replace(DATA, "$1").split("/");
    let folder = data;
    for (const part of parts.slice(0, -1)) {
      const inner = folder[part];
      const next: Record<string, unknown> = isRecord(inner) ? { ...inner } : {};
      folder[part] = next;
      folder = next;
    }
    folder[parts.at(-1) ?? ""] = parsed.data;
  }
  return data;
}
