/** Starlight and other sites of Astro: the folder of a site, with collections below `src/content/`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { docusaurusMarks, withoutPartImports } from "../includes/include-marks.js";
import { starlightSidebar } from "../sidebar/sidebar-source.js";
import type { ImportItem } from "../../contract.js";
import { fileKey } from "../../plan/address-key.js";
import { type Locale, localesOf } from "../languages.js";
import { ALIAS, starlightText } from "./starlight-text.js";
import { parsePosition, readImage, text } from "../files/front-matter.js";
import {
  folderSource,
  type FolderRules,
  isIn,
  type PageFile,
  pathOfPage,
  type PlacedPage,
  splitDate,
  toAddress,
} from "../files/folder-source.js";
import { LANDING_KEYS, landingPage } from "../files/landing-matter.js";
import { callIn, readSiteConfig, type SiteConfig, unreadKeys } from "../files/site-config.js";

const CONTENT = "src/content";
const PAGE = /\.mdx?$/i;
/** Pages of the site's own code, and pages in other languages of templates. */
const TEMPLATE = /\.(?:astro|mdoc|jsx?|tsx?|vue|svelte)$/i;
const CONFIGS = ["mjs", "ts", "mts", "js", "cjs"].map((ending) => `astro.config.${ending}`);
const POSTS: ReadonlySet<string> = new Set(["blog", "posts", "post", "news", "articles"]);
const LOST_KEYS = [
  "head",
  "prev",
  "next",
  "tableOfContents",
  "editUrl",
  "banner",
  "pagefind",
  "draftReason",
];
const READ_KEYS = ["sidebar", ...LANDING_KEYS.filter((key) => key !== "heroImage")];
const READ_SETTINGS: ReadonlySet<string> = new Set(
  "site base redirects trailingSlash integrations srcDir publicDir outDir output markdown vite build server experimental image prefetch devToolbar compressHTML scopedStyleStrategy i18n adapter".split(
    " ",
  ),
);
const READ_STARLIGHT: ReadonlySet<string> = new Set(
  "title description tagline locales defaultLocale sidebar disable404Route pagefind lastUpdated".split(
    " ",
  ),
);

/** A site of Astro. */
interface Site extends ReturnType<typeof localesOf> {
  readonly paths: ReadonlySet<string>;
}

/** The source `starlight`. */
export const starlight = folderSource(
  "the folder of a site of Astro, with src/content/",
  async ({ root, paths }) => {
    const above = rootOf(paths);
    const config = await readSiteConfig(
      root,
      CONFIGS.map((name) => above + name),
    );
    const docs = callIn(config.map["integrations"], "starlight");
    const site: Site = {
      paths: new Set(paths),
      ...localesOf(
        readLocales(docs["locales"], text(docs["defaultLocale"])),
        paths.filter((path) => PAGE.test(path)),
        `${above}${CONTENT}/docs`,
      ),
    };
    const own = (path: string): string => path.slice(above.length);
    const files = `${above}public`;
    const url = text(config.map["site"]) ?? "";
    const isPart = (path: string): boolean =>
      path.startsWith(above) &&
      ["src/content", "src/assets", "src/pages", "src/data", "public"].some((folder) =>
        isIn(own(path), folder),
      );
    const rules: FolderRules = {
      hosts: URL.canParse(url) ? [new URL(url).hostname] : [],
      basePath: text(config.map["base"]) ?? "",
      answersAtFolders: config.map["trailingSlash"] !== "never",
      linkRoots: [files, `${above}src`],
      extensions: [".md", ".mdx"],
      isIgnored: (path) =>
        !isPart(path) ||
        /^src\/content\/(?:config|content\.config)\.[cm]?[jt]s$/.test(own(path)) ||
        /^src\/(?:pages|data)\/.*\.(?:json|ya?ml)$/.test(own(path)),
      isPage: (path) => PAGE.test(path) && !isIn(path, files),
      lostPage: (path) => lostFile(own(path), isIn(path, files)),
      keysRead: READ_KEYS,
      keysLost: LOST_KEYS,
      place: (page) => withPicture(place({ ...page, path: own(page.path) }, above, site), page),
      addressOf: (path) => (isIn(path, files) ? toAddress(path.slice(files.length + 1)) : null),
      site: { title: text(docs["title"]), description: text(docs["description"]) },
      includes: docusaurusMarks(above),
      sidebar: await starlightSidebar({ root, paths, folder: `${above}src/content/docs` }),
      transform: (body, { path }) =>
        starlightText(withoutPartImports(body), path.endsWith(".mdx") ? "mdx" : "md"),
      extra: () => [
        ...redirectsOf(config),
        ...config.notes,
        ...site.notes,
        ...settingsLost(config, docs),
      ],
    };
    return rules;
  },
);

/** The folder of the site: that with `astro.config`, else that with `src/content`. */
function rootOf(paths: readonly string[]): string {
  const found = paths
    .map((path) => /^(.*?)(?:astro\.config\.[cm]?[jt]s$|src\/content\/)/.exec(path)?.[1])
    .filter((above) => above === "" || above?.endsWith("/"))
    .toSorted((a = "", b = "") => a.length - b.length);
  return found[0] ?? "";
}

/** `redirects`: an address, or a map with `destination`, to an old address; patterns have no counterpart. */
function redirectsOf({ file, map }: SiteConfig): ImportItem[] {
  const entries = isRecord(map["redirects"]) ? Object.entries(map["redirects"]) : [];
  const origin = { file: file ?? "astro.config" };
  return entries.map(([from, target]): ImportItem => {
    const to = text(isRecord(target) ? target["destination"] : target);
    if (to === null || from.includes("["))
      return {
        kind: "notImported",
        origin,
        reason: `the redirect from ${from} has no counterpart`,
      };
    return { kind: "redirect", origin, from, to };
  });
}

function settingsLost(config: SiteConfig, docs: Readonly<Record<string, unknown>>): ImportItem[] {
  const own =
    Object.keys(docs).length === 0 ? [] : unreadKeys({ ...config, map: docs }, READ_STARLIGHT);
  return [...unreadKeys(config, READ_SETTINGS), ...own];
}

/** The main picture may be named by an alias. */
function withPicture(
  placed: PlacedPage | { readonly reason: string },
  { data }: PageFile,
): PlacedPage | { readonly reason: string } {
  if ("reason" in placed) return placed;
  const image = placed.image ?? readImage(data);
  return image === null ? placed : { ...placed, image: image.replace(ALIAS, "/") };
}

function lostFile(path: string, isPublic: boolean): string | null {
  if (isPublic || !TEMPLATE.test(path)) return null;
  if (isIn(path, "src/pages") || path.endsWith(".mdoc"))
    return `a page that a template makes (${posix.extname(path)})`;
  return "code of the site, which has no counterpart";
}

/** `locales` of Starlight: `root` is the main language, at the top. Null when the configuration has none. */
function readLocales(locales: unknown, main: string | null): Locale[] | null {
  if (!isRecord(locales)) return null;
  const list = Object.entries(locales).map(([key, options]): Locale => {
    const lang = isRecord(options) ? text(options["lang"]) : null;
    return key === "root" ? { folder: "", code: lang ?? "en" } : { folder: key, code: key };
  });
  const first =
    list.find(({ folder }) => folder === (main ?? "")) ??
    list.find(({ folder }) => folder === "") ??
    list[0];
  return first === undefined ? [] : [first, ...list.filter((one) => one !== first)];
}

function place(
  page: PageFile,
  above: string,
  site: Site,
): PlacedPage | { readonly reason: string } {
  const { path } = page;
  if (isIn(path, "src/pages")) {
    if (/\[[^[\]]+\]/.test(path)) return { reason: "pages that a script makes (a dynamic route)" };
    const route = toAddress(pathOfPage(path.slice("src/pages/".length)));
    return { route, template: "default", position: null, addresses: [route] };
  }
  const [collection = "", ...rest] = path.slice(`${CONTENT}/`.length).split("/");
  const below = rest.join("/");
  if (!isIn(path, CONTENT)) return { reason: "it lies in no folder of pages" };
  if (rest.some((part) => part.startsWith("_")))
    return { reason: "a part of other pages, which has no address" };
  if (collection === "docs") return placeDocument(page, below, above, site);
  if (below === "") return { reason: "it lies in no collection" };
  return placeEntry(page, collection, below);
}

function placeDocument({ data }: PageFile, below: string, above: string, site: Site): PlacedPage {
  const at = site.locales.findIndex(({ folder }) => folder !== "" && isIn(below, folder));
  const locale = site.locales[at];
  const bare = locale === undefined ? below : below.slice(locale.folder.length + 1);
  const slug = text(data["slug"])?.replaceAll(/^\/|\/$/g, "");
  const old = slug === undefined ? toAddress(toIds(pathOfPage(below))) : toAddress(slug);
  const prefix = locale === undefined ? "" : `/${locale.folder}`;
  const route =
    prefix !== "" && `${old}/`.startsWith(`${prefix}/`) ? toAddress(old.slice(prefix.length)) : old;
  const sidebar = isRecord(data["sidebar"]) ? data["sidebar"] : {};
  const landing = landingPage(data);
  const main = `${above}${CONTENT}/docs/${posix.join(site.locales[0]?.folder ?? "", bare)}`;
  const of = [main, main.replace(PAGE, ".md"), main.replace(PAGE, ".mdx")].find((file) =>
    site.paths.has(file),
  );
  return {
    route,
    template: "docs",
    position: parsePosition(sidebar["order"]),
    ...landing,
    addresses: [old],
    ...(locale !== undefined &&
      at > 0 && { translation: { lang: locale.code, of: fileKey(of ?? main) } }),
    matter: {
      nav_title: text(sidebar["label"]),
      ...(sidebar["hidden"] === true && { hidden: true }),
      ...landing?.matter,
    },
  };
}

function placeEntry({ data }: PageFile, collection: string, below: string): PlacedPage {
  const slug = text(data["slug"])?.replaceAll(/^\/|\/$/g, "");
  const id = slug ?? toIds(pathOfPage(below));
  const { date, rest } = splitDate(posix.basename(id));
  const folder = posix.dirname(id) === "." ? "" : posix.dirname(id);
  const isPost = POSTS.has(collection) || data["pubDate"] !== undefined;
  const old = toAddress(posix.join(collection, id));
  return {
    route: isPost ? toAddress(posix.join("blog", folder, rest)) : old,
    template: isPost ? "post" : "default",
    position: null,
    addresses: [old],
    matter: {
      ...(date !== null && data["date"] === undefined && data["pubDate"] === undefined && { date }),
    },
  };
}

/** Astro writes ids in lower case, with dashes. */
function toIds(path: string): string {
  return path
    .toLowerCase()
    .replaceAll(/\s+/g, "-")
    .replaceAll(/[^\p{L}\p{N}\p{M}/_-]/gu, "");
}
