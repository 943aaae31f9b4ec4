/** Docusaurus: the folder of a site, with `docs/`, `blog/` and `static/`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { readYaml } from "#lib/yaml";
import type { ImportedPage, ImportedSite, ImportItem, NotImported } from "../../contract.js";
import { docusaurusMarks, withoutPartImports } from "../includes/include-marks.js";
import {
  docKey,
  type DocusaurusSite,
  docusaurusSidebar,
  type SidebarOfSource,
} from "../sidebar/sidebar-source.js";
import { readConfigFile } from "../source-files.js";
import { parseDate, parseJsonMap, parsePosition, text } from "./front-matter.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  isIn,
  pathOfPage,
  splitDate,
  splitNumber,
  toAddress,
} from "./folder-source.js";
import { scriptKeys, unreadKeys } from "./beside-content.js";
import { mdxText } from "./mdx-text.js";

const IGNORED =
  /^(?:src\/(?!pages\/)|build\/|versioned_sidebars\/|plugins\/|scripts\/)|^[^/]+$|\.(?:tsx?|jsx?|css|scss|map)$|(?:^|\/)(?:authors|tags)\.yml$|(?:^|\/)_category_\.(?:json|ya?ml)$/;
const I18N = /^i18n\/([a-z]{2,3}(?:-[a-z]{2,4})?)\/(docusaurus-plugin-content-[a-z]+)\/(.+)$/i;
const VERSIONED = /^versioned_docs\/version-([^/]+)\/(.+)$/;
/** Plugin to folder. */
const TRANSLATED: ReadonlyMap<string, string> = new Map([
  ["docusaurus-plugin-content-docs", "docs"],
  ["docusaurus-plugin-content-blog", "blog"],
  ["docusaurus-plugin-content-pages", "src/pages"],
]);
const TEXTS =
  /^i18n\/([a-z]{2,3}(?:-[a-z]{2,4})?)\/docusaurus-plugin-content-docs\/current\.json$/i;
const PAGE = /\.mdx?$/;
const CATEGORY = /(?:^|\/)_category_\.(?:json|ya?ml)$/;
/** Keys of the configuration that are read, or that decide only how Docusaurus builds. */
const READ = [
  ..."title tagline favicon url baseUrl organizationName projectName deploymentBranch i18n presets".split(
    " ",
  ),
  ..."onBrokenLinks onBrokenMarkdownLinks onBrokenAnchors trailingSlash future markdown".split(" "),
];
const CONFIG = /^(?:website\/)?docusaurus\.config\.[cm]?[jt]s$/;

interface Site {
  /** True when the site is in `website/`, as in repositories with `docs/` beside it. */
  readonly isBelow: boolean;
  /** The path without `website/`. */
  readonly own: (path: string) => string;
  readonly host: string | null;
  /** The path of the site on its host. */
  readonly basePath: string;
  /** Prefix of the documents. */
  readonly docs: string;
  readonly blog: string;
  /** Further folders of documents, and the prefix of each. */
  readonly folders: ReadonlyMap<string, string>;
  readonly categories: ReadonlyMap<string, Category>;
  readonly sidebar: Pick<DocusaurusSite, "file" | "names" | "texts">;
  /** The versions of the documents, the latest first; without the one that is written now. */
  readonly versions: readonly string[];
  /** The version at the address of the documents; null for the one that is written now. */
  readonly latest: string | null;
  readonly facts: Pick<ImportedSite, "title" | "description">;
  /** Keys of the configuration without a counterpart. */
  readonly unread: readonly NotImported[];
}
interface Category {
  readonly label: string | null;
  readonly position: number | null;
}

/** The source `docusaurus`. */
export const docusaurus = folderSource(
  "the folder of a site, with docs/, blog/ and static/",
  async ({ root, paths }) => {
    const site = await readSite(root, paths);
    const rules: FolderRules = {
      hosts: site.host === null ? [] : [site.host],
      basePath: site.basePath,
      site: site.facts,
      linkRoots: site.isBelow
        ? ["website", "website/static", "docs", "website/docs", "website/blog"]
        : ["static", "docs", "blog"],
      extensions: [".md", ".mdx"],
      isIgnored: (path) => isIgnored(path, site),
      isRead: (path) => CONFIG.test(path) || CATEGORY.test(site.own(path)),
      unread: site.unread,
      isPage: (path) => PAGE.test(path) && !isIn(site.own(path), "static"),
      place: (page) => findPlace(page, site),
      addressOf: (path) => {
        const file = site.own(path);
        return isIn(file, "static") ? toAddress(file.slice("static/".length)) : null;
      },
      includes: docusaurusMarks(site.isBelow ? "website" : ""),
      transform: (body, { path }) =>
        mdxText(withoutPartImports(body), path.endsWith(".mdx") ? "mdx" : "md"),
      extra: () => [...sections(site, paths.map(site.own)), ...versionNotes(site)],
      sidebar: await sidebarOfVersions(site, { root, paths }),
    };
    return rules;
  },
);

/** A page, or a translation below `i18n/<language>/`. */
function findPlace(page: PageFile, site: Site): PlacedPage | { reason: string } {
  const path = site.own(page.path);
  const [, lang, plugin = "", rest = ""] = I18N.exec(path) ?? [];
  if (lang === undefined) return place({ ...page, path }, site);
  const folder = TRANSLATED.get(plugin);
  if (folder === undefined) return { reason: "texts of a plugin that is not imported" };
  const originalPath = rest.startsWith("version-")
    ? `versioned_docs/${rest}`
    : `${folder}/${rest.replace(/^current\//, "")}`;
  const placed = place({ ...page, path: originalPath }, site);
  if ("reason" in placed) return placed;
  // By its path, which all languages share.
  const of = placed.addresses.at(-1) ?? placed.route;
  const addresses = placed.addresses
    .filter((address) => address.startsWith("/"))
    .map((address) => toAddress(`/${lang}${address}`));
  return { ...placed, addresses, translation: { lang, of } };
}

/** Folders beside `website/` are not part of the site, except `docs/`. */
function isIgnored(path: string, { own, isBelow }: Site): boolean {
  if (isIn(own(path), "i18n") && !(I18N.test(own(path)) && PAGE.test(path))) return true;
  return IGNORED.test(own(path)) || (isBelow && !/^(?:website|docs)\//.test(path));
}

function place(page: PageFile, site: Site): PlacedPage | { reason: string } {
  const { path, data } = page;
  if (/(?:^|\/)_[^/]+$/.test(path)) return { reason: "a part that other pages include" };
  if (isIn(path, "blog")) return placePost(page, site);
  if (isIn(path, "docs")) return placeDocument(page, site, null);
  const [, version = "", rest = ""] = VERSIONED.exec(path) ?? [];
  if (site.versions.includes(version))
    return placeDocument({ ...page, path: `docs/${rest}` }, site, version);
  if (isIn(path, "versioned_docs"))
    return { reason: "a version of the documents that versions.json does not name" };
  const folder = [...site.folders].find(([name]) => isIn(path, name));
  if (folder !== undefined) {
    const [name, docs] = folder;
    const below = { ...page, path: `docs/${path.slice(name.length + 1)}` };
    return placeDocument(below, { ...site, docs, versions: [], latest: null, categories: new Map() }, null);
  }
  if (!isIn(path, "src/pages")) return { reason: "it lies in no folder of pages" };
  const route = toAddress(pathOfPage(path.slice("src/pages/".length)));
  return {
    route,
    template: "default",
    position: parsePosition(data["sidebar_position"]),
    addresses: [route],
  };
}

/** The path of the documents of a version; null for the one that is written now. */
function docsOf({ docs, latest }: Site, version: string | null): string {
  return version === latest ? docs : posix.join(docs, version ?? "next");
}

/** The key of a document, which is another one in each version. */
function versionKey(id: string, version: string | null): string {
  return docKey(version === null ? id : `${version}:${id}`);
}

function placeDocument({ path, data }: PageFile, site: Site, version: string | null): PlacedPage {
  const docs = docsOf(site, version);
  const pagePath = pathOfPage(path.slice("docs/".length));
  const { rest, position } = splitNumber(posix.basename(pagePath));
  const folder = posix.dirname(pagePath) === "." ? "" : withoutNumbers(posix.dirname(pagePath));
  const id = text(data["id"]);
  const usual = toAddress(posix.join(docs, folder, id ?? rest));
  const slug = text(data["slug"]);
  const route =
    slug === null
      ? usual
      : toAddress(posix.join(docs, slug.startsWith("/") ? slug : posix.join(folder, slug)));
  const isIndex = pagePath === posix.dirname(path.slice("docs/".length));
  const category = isIndex ? site.categories.get(pagePath) : undefined;
  const label = category?.label ?? null;
  return {
    route,
    template: "docs",
    position: parsePosition(data["sidebar_position"], category?.position, position),
    addresses: [route, versionKey(documentId(path, id), version), usual],
    ...(label !== null && { matter: { nav_title: label } }),
  };
}

/** The id by which sidebars call a document: its path without numbers, with the `id` of its front matter. */
function documentId(path: string, id: string | null): string {
  const names = path.slice("docs/".length).replace(PAGE, "").split("/");
  const plain = names.map((name) => splitNumber(name).rest);
  return [...plain.slice(0, -1), id ?? plain.at(-1)].join("/");
}

function placePost({ path, data }: PageFile, site: Site): PlacedPage {
  const pagePath = pathOfPage(path.slice("blog/".length)).replaceAll(
    /(\d{4})\/(\d{2})\/(\d{2})[-/]/g,
    "$1-$2-$3-",
  );
  const { date: day, rest } = splitDate(pagePath);
  const date = parseDate(data["date"]) ?? day;
  const slug = text(data["slug"])?.replace(/^\/+/, "");
  const usual = day === null ? pagePath : `${day.replaceAll("-", "/")}/${rest}`;
  const old = toAddress(posix.join(site.blog, slug ?? usual));
  return {
    route: `/blog/${slug ?? posix.basename(rest)}`,
    template: "post",
    position: null,
    addresses: [old],
    matter: { date },
  };
}

/** Pages for folders that have only a label. */
function sections(site: Site, paths: readonly string[]): ImportItem[] {
  const { categories } = site;
  const docs = docsOf(site, null);
  return [...categories].flatMap(([folder, { label, position }]): ImportItem[] => {
    const hasIndex = paths.some(
      (path) =>
        PAGE.test(path) &&
        pathOfPage(path) === `docs/${folder}` &&
        path.startsWith(`docs/${folder}/`),
    );
    if (hasIndex) return [];
    const route = toAddress(posix.join(docs, withoutNumbers(folder)));
    const title = label ?? posix.basename(withoutNumbers(folder));
    const page: ImportedPage = {
      kind: "page",
      origin: { file: `docs/${folder}/_category_.json` },
      route,
      template: "docs",
      position: position ?? splitNumber(posix.basename(folder)).position,
      frontmatter: { title },
      body: { format: "markdown", text: "" },
      base: { url: null, file: null },
      addresses: [route],
      isOptional: true,
    };
    const translations = [...site.sidebar.texts].flatMap(([lang, texts]) => {
      const key = Object.keys(texts).find((one) => one.endsWith(`.category.${title}`));
      return key === undefined ? [] : [translated(page, lang, texts[key] ?? title)];
    });
    return [page, ...translations];
  });
}

function translated(page: ImportedPage, lang: string, title: string): ImportedPage {
  const addresses = [toAddress(`/${lang}${page.route}`)];
  return { ...page, frontmatter: { title }, addresses, translation: { lang, of: page.route } };
}

function withoutNumbers(folder: string): string {
  return folder
    .split("/")
    .map((part) => splitNumber(part).rest)
    .join("/");
}

async function readSite(root: string, paths: readonly string[]): Promise<Site> {
  const name = paths.find((path) => CONFIG.test(path));
  const isBelow = name !== undefined && isIn(name, "website");
  const own = (path: string): string => (isBelow ? path.replace(/^website\//, "") : path);
  const config = name === undefined ? "" : await readConfigFile(root, name);
  const url = /\burl:\s*["'`]([^"'`]+)["'`]/.exec(config)?.[1] ?? "";
  const host = URL.canParse(url) ? new URL(url).hostname : null;
  return {
    isBelow,
    own,
    host,
    basePath: /\bbaseUrl:\s*["'`](\/[^"'`]*)["'`]/.exec(config)?.[1] ?? "",
    docs: routeOf(config),
    folders: readInstances(config),
    blog: "blog",
    categories: await readCategories(root, paths, own),
    ...(await readVersions(root, isBelow ? "website" : "", config)),
    sidebar: {
      file: sidebarFile(config, isBelow ? "website" : ""),
      names: sidebarNames(config),
      texts: await readTexts(root, paths, own),
    },
    facts: {
      title: /\btitle:\s*["'`]([^"'`\n]+)["'`]/.exec(config)?.[1] ?? null,
      description: /\btagline:\s*["'`]([^"'`\n]+)["'`]/.exec(config)?.[1] ?? null,
    },
    unread: unreadKeys({ file: name ?? "", data: scriptKeys(config), read: READ }),
  };
}

async function readVersions(
  root: string,
  site: string,
  config: string,
): Promise<Pick<Site, "versions" | "latest">> {
  const { values } = readYaml(await readConfigFile(root, posix.join(site, "versions.json")));
  const versions = (Array.isArray(values) ? values : []).flatMap((one: unknown) => text(one) ?? []);
  const stated = /\blastVersion:\s*["'`]([^"'`]+)["'`]/.exec(config)?.[1];
  const latest = stated === "current" ? null : (stated ?? versions[0] ?? null);
  return { versions, latest };
}

/** What the report says about versions: the setting of the new site that has them. */
function versionNotes(site: Site): ImportItem[] {
  if (site.versions.length === 0) return [];
  const all = site.latest === null ? [null, ...site.versions] : [...site.versions, null];
  const entries = all.map(
    (version) => `${JSON.stringify(version ?? "next")}: ${toAddress(docsOf(site, version))}`,
  );
  const reason = `versions of the documents: add versions: { ${entries.join(", ")} } to site.yaml`;
  return [{ kind: "notImported", origin: { file: "versions.json" }, reason }];
}

/** The sidebars of all versions: the site shows the entries of the version that is read. */
async function sidebarOfVersions(
  site: Site,
  source: Pick<DocusaurusSite, "root" | "paths">,
): Promise<SidebarOfSource | null> {
  const top = site.isBelow ? "website" : "";
  const sidebars: SidebarOfSource[] = [];
  for (const version of [null, ...site.versions]) {
    const sidebar = await docusaurusSidebar({
      ...source,
      ...site.sidebar,
      site: top,
      folder: version === null ? "docs" : posix.join(top, `versioned_docs/version-${version}`),
      keyOf: (id) => versionKey(id, version),
      ...(version !== null && {
        file: posix.join(top, `versioned_sidebars/version-${version}-sidebars.json`),
      }),
    });
    if (sidebar !== null) sidebars.push(sidebar);
  }
  const [first] = sidebars;
  if (first === undefined) return null;
  return {
    file: first.file,
    items: sidebars.flatMap(({ items }) => items),
    notes: sidebars.flatMap(({ file, notes }) => notes.map((note) => ({ file, ...note }))),
  };
}

/** The file that `sidebarPath` names; null: the usual one. */
function sidebarFile(config: string, site: string): string | null {
  const name =
    /\bsidebarPath:\s*(?:require\.resolve\(\s*)?["'`]([^"'`]+)["'`]/.exec(config)?.[1] ?? null;
  const path = name === null ? null : posix.join(site, name);
  return path === null || path.startsWith("..") ? null : path;
}

/** The labels of entries of the navigation bar that lead to a sidebar. */
function sidebarNames(config: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [entry] of config.matchAll(/\{[^{}]{0,500}\bsidebarId:[^{}]{0,500}\}/g)) {
    const id = /\bsidebarId:\s*["'`]([^"'`]+)/.exec(entry)?.[1];
    const label = /\blabel:\s*(?:"([^"]+)"|'([^']+)'|`([^`]+)`)/
      .exec(entry)
      ?.slice(1)
      .find(Boolean);
    if (id !== undefined && label !== undefined) names.set(id, label);
  }
  return names;
}

/** The messages of `i18n/<language>/docusaurus-plugin-content-docs/current.json`. */
async function readTexts(
  root: string,
  paths: readonly string[],
  own: Site["own"],
): Promise<Map<string, Record<string, string>>> {
  const texts = new Map<string, Record<string, string>>();
  for (const file of paths) {
    const lang = TEXTS.exec(own(file))?.[1];
    if (lang === undefined) continue;
    const parsed = parseJsonMap(await readConfigFile(root, file));
    const entries = Object.entries("data" in parsed ? parsed.data : {});
    const messages = entries.flatMap(([key, value]) => {
      const message = isRecord(value) ? text(value["message"]) : null;
      return message === null ? [] : [[key, message] as const];
    });
    texts.set(lang, Object.fromEntries(messages));
  }
  return texts;
}

/** An object without others in it. */
const FLAT = /\{[^{}]{0,2000}\}/g;

/** The prefix of the documents: `routeBasePath` of the options `docs`, not of another plugin. */
function routeOf(config: string): string {
  const start = /\bdocs:\s*\{/.exec(config);
  if (start === null) return "docs";
  let depth = 0;
  let own = "";
  for (const character of config.slice(start.index + start[0].length)) {
    if (character === "}" && depth === 0) break;
    depth += character === "{" ? 1 : character === "}" ? -1 : 0;
    if (depth === 0) own += character;
  }
  return /\brouteBasePath:\s*["'`]([^"'`]+)["'`]/.exec(own)?.[1] ?? "docs";
}

/** Folders of further instances of the plugin for documents, with their prefixes. */
function readInstances(config: string): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  let flat = config;
  // Objects inside have neither of the keys.
  for (let round = 0; round < 4; round += 1)
    flat = flat.replaceAll(FLAT, (object) => {
      const path = /\bpath:\s*["'`](?:\.\/)?([\w/-]+)["'`]/.exec(object)?.[1];
      const route = /\brouteBasePath:\s*["'`]\/?([^"'`]*)["'`]/.exec(object)?.[1];
      if (path !== undefined && path !== "docs" && path !== "blog" && /\bid:/.test(object))
        folders.set(path, route ?? path);
      return "";
    });
  return folders;
}

async function readCategories(
  root: string,
  paths: readonly string[],
  own: Site["own"],
): Promise<Map<string, Category>> {
  const categories = new Map<string, Category>();
  for (const file of paths.filter((one) => isIn(own(one), "docs"))) {
    const path = own(file);
    if (PAGE.test(path)) addFolders(path, categories);
    if (!/^docs\/.+\/_category_\.(?:json|ya?ml)$/.test(path)) continue;
    const source = await readConfigFile(root, file);
    categories.set(posix.dirname(path).slice("docs/".length), parseCategory(source));
  }
  return categories;
}

function addFolders(path: string, categories: Map<string, Category>): void {
  for (
    let at = posix.dirname(path).slice("docs/".length);
    at !== "" && at !== ".";
    at = posix.dirname(at)
  ) {
    if (!categories.has(at)) categories.set(at, { label: null, position: null });
  }
}

function parseCategory(source: string): Category {
  // JSON is YAML too.
  const values = readYaml(source).values;
  const { label, position } = isRecord(values) ? values : {};
  return { label: text(label), position: parsePosition(position) };
}
