/** VitePress and VuePress: the folder of a site, with `.vitepress/` or `.vuepress/` beside its pages. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import type { ImportItem, ImportSource } from "../../contract.js";
import { vitepressMarks } from "../includes/include-marks.js";
import { vitepressSidebar } from "../sidebar/sidebar-source.js";
import { fileKey } from "../../plan/address-key.js";
import { type Locale, localesOf } from "../languages.js";
import { listOf, text } from "../files/front-matter.js";
import {
  folderSource,
  type FolderRules,
  isIn,
  type PageFile,
  pathOfPage,
  type PlacedPage,
  toAddress,
} from "../files/folder-source.js";
import { globPattern } from "./glob-pattern.js";
import { LANDING_KEYS, landingPage } from "../files/landing-matter.js";
import { readSiteConfig, type SiteConfig, unreadKeys } from "../files/site-config.js";
import { vueText } from "./vue-text.js";

/** What differs between the two. */
interface VueSystem {
  /** The folder of configuration and theme, beside the pages. */
  readonly folder: ".vitepress" | ".vuepress";
  /** The folder of files that answer at the root, below the folder of pages. */
  readonly publicFolder: string;
  /** Keys of the configuration that are read, or that have no meaning for content. */
  readonly readKeys: ReadonlySet<string>;
}

const CODE = /\.(?:vue|[cm]?[jt]sx?|css|scss|less|styl)$/i;
const PAGE = /\.md$/i;
const ENDINGS = ["ts", "mts", "js", "mjs", "cjs", "json"];
/** Front matter that places or draws parts of the theme. */
const LOST_KEYS = [
  "head",
  "prev",
  "next",
  "sidebar",
  "navbar",
  "aside",
  "outline",
  "editLink",
  "footer",
  "pageClass",
  "titleTemplate",
  "meta",
  "canonicalUrl",
  "sidebarDepth",
];
const READ_KEYS = ["isHome", ...LANDING_KEYS];
const COMMON_KEYS =
  "base lang title description outDir dest cacheDir temp cache port host open srcDir vite vue bundler shouldPrefetch shouldPreload debug evergreen locales pagePatterns patterns".split(
    " ",
  );

/** The source `vitepress`. */
export const vitepress = vueSource("the folder of a site, with .vitepress/ beside its pages", {
  folder: ".vitepress",
  publicFolder: "public",
  readKeys: new Set([
    ...COMMON_KEYS,
    "cleanUrls",
    "rewrites",
    "srcExclude",
    "ignoreDeadLinks",
    "sitemap",
    "appearance",
    "lastUpdated",
    "metaChunk",
    "mpa",
    "assetsDir",
    "router",
    "themeConfig.sidebar",
  ]),
});
/** The source `vuepress`. */
export const vuepress = vueSource("the folder of a site, with .vuepress/ beside its pages", {
  folder: ".vuepress",
  publicFolder: ".vuepress/public",
  readKeys: new Set([...COMMON_KEYS, "theme", "themeConfig.sidebar", "public"]),
});

/** A site of one of the two. */
interface VueSite extends ReturnType<typeof localesOf> {
  /** The folder of pages with a slash at its end; empty for the source folder. */
  readonly pages: string;
  readonly publicFolder: string;
  readonly paths: ReadonlySet<string>;
  readonly isExcluded: (below: string) => boolean;
  /** The path of a page after `rewrites`. */
  readonly rewritten: (below: string) => string;
  readonly hasEndings: boolean;
}

function vueSource(summary: string, system: VueSystem): ImportSource {
  const open = async ({ root, paths }: { root: string; paths: readonly string[] }) => {
    const marker = `${system.folder}/`;
    const inside = paths
      .filter((path) => path.startsWith(marker) || path.includes(`/${marker}`))
      .toSorted((a, b) => a.length - b.length)[0];
    const above = inside === undefined ? "" : inside.slice(0, inside.lastIndexOf(marker));
    const names = ["config", "config/index"].flatMap((name) =>
      ENDINGS.map((ending) => `${above}${marker}${name}.${ending}`),
    );
    const config = await readSiteConfig(root, names);
    const site = readSite(config, above, system, paths);
    const files = `${site.pages}${site.publicFolder}`;
    const own = `${above}${marker}`;
    const isPage = (path: string): boolean =>
      PAGE.test(path) && path.startsWith(site.pages) && !isIn(path, files) && !path.startsWith(own);
    const { host, basePath } = readAddress(config.map);
    const rules: FolderRules = {
      hosts: host,
      basePath,
      linkRoots: [site.pages.replace(/\/$/, ""), files].filter((folder) => folder !== ""),
      extensions: [".md"],
      isIgnored: (path) =>
        !path.startsWith(site.pages) ||
        (path.startsWith(own) && !isIn(path, files)) ||
        (isPage(path) && site.isExcluded(path.slice(site.pages.length))) ||
        /^(?:package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|tsconfig\.json)$/.test(path),
      isPage,
      lostPage: (path) => lostFile(path, files),
      place: (page) => place(page, site),
      addressOf: (path) =>
        toAddress(path.slice(isIn(path, files) ? files.length + 1 : site.pages.length)),
      keysRead: READ_KEYS,
      keysLost: LOST_KEYS,
      site: { title: text(config.map["title"]), description: text(config.map["description"]) },
      includes: vitepressMarks(site.pages),
      sidebar: await vitepressSidebar({ root, paths, folder: above }),
      transform: (body, { data }) => vueText(body, data),
      extra: () => [
        ...config.notes,
        ...site.notes,
        ...unreadKeys(config, system.readKeys),
        ...themeNotes(paths, own),
      ],
    };
    return rules;
  };
  return folderSource(summary, open, [system.folder]);
}

function readSite(
  { map }: SiteConfig,
  above: string,
  { publicFolder }: VueSystem,
  paths: readonly string[],
): VueSite {
  const source = posix.join(above, text(map["srcDir"]) ?? "", "/").replace(/^(?:\.?\/)+/, "");
  const excluded = listOf(map["srcExclude"]).map(globPattern);
  const pages = source.startsWith("../") ? above : source;
  return {
    pages,
    publicFolder,
    paths: new Set(paths),
    isExcluded: (below) => excluded.some((pattern) => pattern.test(below)),
    rewritten: readRewrites(map["rewrites"]),
    hasEndings: map["cleanUrls"] !== true,
    ...localesOf(
      readLocales(map),
      paths.filter((path) => PAGE.test(path)),
      pages.replace(/\/$/, ""),
    ),
  };
}

/** The host and the path of the site, where the configuration says them. */
function readAddress(map: SiteConfig["map"]): { host: string[]; basePath: string } {
  const sitemap = isRecord(map["sitemap"]) ? map["sitemap"] : {};
  const url = text(sitemap["hostname"]) ?? "";
  return {
    host: URL.canParse(url) ? [new URL(url).hostname] : [],
    basePath: text(map["base"]) ?? "",
  };
}

/** The folders of languages, the main one first; null when the configuration has none. */
function readLocales({ locales, lang }: SiteConfig["map"]): Locale[] | null {
  if (!isRecord(locales)) return null;
  const list = Object.entries(locales).map(([key, options]): Locale => {
    const folder = key === "root" ? "" : key.replaceAll(/^\/|\/$/g, "");
    const own = isRecord(options) ? text(options["lang"]) : null;
    return { folder, code: folder === "" ? (own ?? text(lang) ?? "en") : folder };
  });
  const main = list.find(({ folder }) => folder === "") ?? list[0];
  return main === undefined ? [] : [main, ...list.filter((one) => one !== main)];
}

/** The path that `rewrites` give a page: a path, or a pattern with `:name`, `:name*` and `(.*)`. */
function readRewrites(rewrites: unknown): (below: string) => string {
  const rules = Object.entries(isRecord(rewrites) ? rewrites : {}).flatMap(([from, to]) =>
    typeof to === "string" && from.length < 500 && from.split("*").length < 6
      ? [{ ...pathPattern(from), to }]
      : [],
  );
  return (below) => {
    for (const { pattern, names, to } of rules) {
      const match = pattern.exec(below);
      if (match === null) continue;
      const values = new Map(names.map((name, at) => [name, match[at + 1] ?? ""]));
      return to.replaceAll(/:(\w+)[*+?]?/g, (_, name: string) => values.get(name) ?? "");
    }
    return below;
  };
}

function pathPattern(written: string): { pattern: RegExp; names: string[] } {
  const names: string[] = [];
  const source = written.replaceAll(
    /:(\w+)(\(\.\*\)|[*+])?|\(\.\*\)|[.*+?^${}()|[\]\\]/g,
    (mark, name?: string, many?: string) => {
      if (name === undefined && mark !== "(.*)") return `\\${mark}`;
      names.push(name ?? String(names.length));
      return name === undefined || many !== undefined ? "(.*)" : "([^/]+?)";
    },
  );
  return { pattern: new RegExp(`^${source}$`), names };
}

function place(page: PageFile, site: VueSite): PlacedPage | { readonly reason: string } {
  const { path, data } = page;
  const below = path.slice(site.pages.length);
  if (/\[[^[\]]+\]/.test(below)) return { reason: "pages that a script makes (a dynamic route)" };
  const written = site.rewritten(below);
  const { lang, rest } = splitLocale(written, site);
  const route = toAddress(pathOfPage(rest));
  const isIndex = pathOfPage(written) !== written.replace(PAGE, "");
  const old = toAddress(pathOfPage(written));
  const permalink = text(data["permalink"]);
  const landing = landingPage(data);
  const main = lang === null ? undefined : mainFile(rest, site);
  return {
    route: permalink === null ? route : toAddress(permalink.replace(/\.html$/, "")),
    template: "docs",
    position: null,
    ...landing,
    answersAtFolder: isIndex,
    addresses: [
      ...(permalink === null ? [] : [toAddress(permalink)]),
      old,
      ...(isIndex || !site.hasEndings ? [] : [`${old}.html`]),
    ],
    ...(lang !== null && main !== undefined && { translation: { lang, of: fileKey(main) } }),
  };
}

/** The language of a page, null for the main one, and its path below the folder of the language. */
function splitLocale(path: string, { locales }: VueSite): { lang: string | null; rest: string } {
  const at = locales.findIndex(({ folder }) => folder !== "" && isIn(path, folder));
  const locale = locales[at];
  if (locale === undefined) return { lang: null, rest: path };
  return { lang: at === 0 ? null : locale.code, rest: path.slice(locale.folder.length + 1) };
}

/** The file of a page in the main language. */
function mainFile(rest: string, { pages, locales }: VueSite): string {
  return pages + posix.join(locales[0]?.folder ?? "", rest);
}

/** One line for a theme of the site's own. */
function themeNotes(paths: readonly string[], own: string): ImportItem[] {
  const theme = ["theme", "components", "layouts", "styles"].map((name) => own + name);
  const files = paths.filter((path) => theme.some((folder) => isIn(path, folder)));
  const [file] = files;
  if (file === undefined) return [];
  const reason = `the theme of the site has no counterpart (${files.length} files)`;
  return [{ kind: "notImported", origin: { file }, reason }];
}

function lostFile(path: string, files: string): string | null {
  if (isIn(path, files) || !CODE.test(path)) return null;
  return "code of the site, which has no counterpart";
}
