/** Gives pages, their translations and files their paths: one folder per page, below the folder of the page above it. */
import { posix } from "node:path";
import type { SiteContext } from "#kernel";
import type {} from "../../feeds/contract.js";
import type {} from "../../render/contract.js";
import type { ImportedMedia, ImportedPage, NotImported, Translation } from "../contract.js";
import { cleanRoute, folderName, fileName, numberedName } from "./safe-name.js";

/** A page and its place. */
export interface PlannedPage extends Pick<
  ImportedPage,
  "origin" | "template" | "position" | "addresses"
> {
  readonly isOptional: boolean;
  /** The key of the anchor of its title; null when no heading of the text became the title. */
  readonly titleAnchor: string | null;
  /** The path that the source wants; null: from the route. */
  readonly wantedPath: string | null;
  readonly wantedRoute: string;
  /** The wanted route, then the one that it gets; of a translation, the address with its prefix. */
  route: string;
  /** Path of its file below `content/`. */
  path: string;
  /** Set for a translation, as the source says. */
  readonly translation: Translation | null;
  /** The last segment of the address of a translation that has another one than its page; else null. */
  slug: string | null;
  /** The language of a translation, as the site spells it; null in the main language. */
  lang: string | null;
  /** Why it stays behind; null when it is imported. */
  leftOut: string | null;
  /** The file that has the route on the site already; null: the route is free, or this page's. */
  takenBy: string | null;
}
/** A file and its place. */
export interface PlannedMedia extends Pick<ImportedMedia, "origin" | "from" | "addresses"> {
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly name: string;
  readonly folder: string;
  readonly owner: string | null;
  /** Path below `content/`; empty until it is placed. */
  path: string;
  /** See `ImportedMedia.unlessUsed`; null for any other file. */
  readonly unlessUsed: NotImported | null;
}
/** The folder of a planned page below `content/`; empty at the top. */
export function toFolder({ path }: Pick<PlannedPage, "path">): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** The site before the import, as far as places depend on it. */
export interface SiteTree {
  /** The languages of the site, without the default one. */
  readonly languages: readonly string[];
  /** The page at a route, in the default language unless another one is given. */
  at(
    route: string,
    lang?: string,
  ): { readonly sourcePath: string; readonly folder: string } | undefined;
  /** The decoded address of a route in a language. */
  addressOf(route: string, lang: string): string;
  /** True when a declared route answers there. */
  isClaimed(route: string): boolean;
  hasTemplate(name: string): boolean;
  /** True for a file that a plugin makes at the top of the site, such as `/sitemap.xml`. */
  makesFile(path: string): boolean;
  /** True for a list of terms or articles, or a feed, that the site makes itself. */
  makes(target: "listing" | "feed", address: string): boolean;
}

/** The files that plugins make. */
const MADE_FILES: Readonly<Record<string, readonly string[]>> = {
  feeds: ["/sitemap.xml", "/robots.txt"],
  llms: ["/llms.txt", "/llms-full.txt"],
};

/** The pages, routes and templates that the site has before the import. `willBeBlog`: it gets the preset `blog`. */
export function siteTree(site: SiteContext, willBeBlog: boolean): SiteTree {
  const content = site.use("content");
  const render = site.use("render", { optional: true });
  const { default: main, supported } = site.settings.system.languages;
  return {
    languages: supported.filter((lang) => lang !== main),
    at: (route, lang = main) => content.generation().at(route, lang),
    addressOf: (route, lang) => decodeURIComponent(content.addresses.urlOf(route, lang)),
    isClaimed: (route) => content.claimOf(route) !== null,
    hasTemplate: (name) => render?.has(name) ?? false,
    makesFile: (path) =>
      site.runtime.plugins().some(({ name }) => MADE_FILES[name]?.includes(path) === true),
    makes: (target, address) => {
      const { feed, taxonomies, theme } = site.settings.site;
      if (target === "feed")
        return site.runtime.plugins().some(({ name }) => name === "feeds") && feed.enabled;
      const name = address.split("/")[1] ?? "";
      const hasListings =
        theme.listings ?? (theme.preset === "docs" || theme.preset === "blog" || willBeBlog);
      return (
        render !== undefined && hasListings && (name === "author" || taxonomies.includes(name))
      );
    },
  };
}

/** Places all pages of one source. */
export class PagePlaces {
  readonly #tree: SiteTree;
  /** Route to folder, of this import. */
  readonly #folders = new Map<string, string>([["/", ""]]);
  readonly #routes = new Set<string>();
  readonly #paths = new Set<string>();

  constructor(tree: SiteTree) {
    this.#tree = tree;
  }

  /** Sets route, path and `takenBy`. Pages near the top come first, because they name the folders. */
  place(pages: readonly PlannedPage[]): void {
    const byDepth = pages.map((page, at) => ({ page, at, depth: page.route.split("/").length }));
    byDepth.sort(
      (a, b) =>
        a.depth - b.depth || Number(a.page.isOptional) - Number(b.page.isOptional) || a.at - b.at,
    );
    for (const { page } of byDepth) this.#place(page);
  }

  #place(page: PlannedPage): void {
    if (page.wantedPath !== null) return this.#placeAsIs(page, page.wantedPath);
    const wanted = cleanRoute(page.route);
    if (page.isOptional && this.#routes.has(wanted)) {
      // Another page of the source has the address.
      page.route = wanted;
      page.takenBy = wanted;
      return undefined;
    }
    page.route = this.#freeRoute(wanted);
    const template = this.#tree.hasTemplate(page.template) ? page.template : "default";
    const folder = page.route === "/" ? "01.home" : this.#ownFolder(page);
    page.path = `${folder}/${template}.md`;
    const there = this.#tree.at(page.route);
    page.takenBy = there === undefined || there.sourcePath === page.path ? null : there.sourcePath;
    // Pages below belong to the page that the site has.
    const parent = page.takenBy === null ? folder : (there?.folder ?? "");
    this.#folders.set(page.route, page.route === "/" ? "" : parent);
    return undefined;
  }

  #placeAsIs(page: PlannedPage, path: string): void {
    page.path = path;
    const there = this.#tree.at(page.route);
    const isOther = there !== undefined && there.sourcePath !== path;
    page.takenBy = isOther && isRoutable(path) ? there.sourcePath : null;
  }

  #freeRoute(route: string): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? route : `${route === "/" ? "/home" : route}-${number}`;
      if (this.#routes.has(candidate) || (candidate !== "/" && this.#tree.isClaimed(candidate)))
        continue;
      this.#routes.add(candidate);
      return candidate;
    }
  }

  #ownFolder({ route, position }: PlannedPage): string {
    const above = this.#folderOf(posix.dirname(route));
    const name = posix.basename(route);
    const number = position === null ? "" : `${String(position).padStart(2, "0")}.`;
    for (let copy = 1; ; copy += 1) {
      const candidate = number + (copy === 1 ? name : `${name}-${copy}`);
      const path = above === "" ? candidate : `${above}/${candidate}`;
      if (this.#paths.has(path.toLowerCase())) continue;
      this.#paths.add(path.toLowerCase());
      return path;
    }
  }

  /** The folder of a route, with or without a page. */
  #folderOf(route: string): string {
    const assigned = this.#folders.get(route);
    if (assigned !== undefined) return assigned;
    const there = this.#tree.at(route);
    const above = this.#folderOf(posix.dirname(route));
    const name = posix.basename(route);
    const folder = there?.folder ?? (above === "" ? name : `${above}/${name}`);
    this.#folders.set(route, folder);
    return folder;
  }
}

/** False for modules, drafts and translations, which have no route of their own. */
function isRoutable(path: string): boolean {
  return !/(?:^|\/)(?:\d+\.)?_|\.[a-z]{2}\.[a-z]+$/.test(path);
}

/** Gives each file a path of its own, the same ones in every run. */
export class MediaPlaces {
  readonly #taken = new Set<string>();

  /** A free path in a folder (empty: at the top). Upper and lower case are the same, as on some disks. */
  take(folder: string, name: string): string {
    const plain = fileName(name);
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? plain : numberedName(plain, number);
      const path = folder === "" ? candidate : `${folder}/${candidate}`;
      const key = path.toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return path;
    }
  }
}

/** The tree and the pages that translations stand beside. */
interface TranslationContext {
  readonly tree: SiteTree;
  readonly places: PagePlaces;
  /** The page of the main language at an address of the source. */
  mainOf(address: string): PlannedPage | undefined;
}

/**
 * Sets path, route and language of translations: beside the page in the main language, with the language in the file
 * name. Those that the source names otherwise get this name as `slug`. Leaves out those in languages that the site
 * lacks.
 */
export function placeTranslations(
  pages: readonly PlannedPage[],
  context: TranslationContext,
): void {
  const taken = new Set<string>();
  const routes = new OwnRoutes();
  // Pages above name the addresses of those below.
  const countSegments = ({ translation }: PlannedPage): number =>
    context.mainOf(translation?.of ?? "")?.route.split("/").length ?? 0;
  for (const page of pages.toSorted((a, b) => countSegments(a) - countSegments(b))) {
    const code = page.translation?.lang ?? "";
    const lang = findLanguage(code, context.tree.languages);
    if (lang === null) {
      page.leftOut = `it is in ${JSON.stringify(code)}: add this to languages.supported in system.yaml, and import again`;
      continue;
    }
    page.lang = lang;
    placeTranslation(page, lang, context, routes);
    if (taken.has(page.path)) page.leftOut = `another file is the translation of the same page`;
    taken.add(page.path);
  }
}

function placeTranslation(
  page: PlannedPage,
  lang: string,
  { tree, places, mainOf }: TranslationContext,
  routes: OwnRoutes,
): void {
  const main = page.translation === null ? undefined : mainOf(page.translation.of);
  if (main === undefined) places.place([page]);
  else {
    page.path = main.path;
    [page.route, page.slug] = routes.take(main.route, lang, pickSlug(page, main));
  }
  page.path = page.path.replace(/\.md$/, `.${lang}.md`);
  const there = tree.at(page.route, lang);
  page.takenBy = there === undefined || there.sourcePath === page.path ? null : there.sourcePath;
  page.route = tree.addressOf(page.route, lang);
}

/** The last segment of the wanted address when it is not that of the main page; else null. */
function pickSlug(page: PlannedPage, main: PlannedPage): string | null {
  if (page.wantedRoute === "/" || main.wantedRoute === "/" || main.route === "/") return null;
  const [segment, its] = [page, main].map(({ wantedRoute }) =>
    folderName(posix.basename(wantedRoute)),
  );
  return segment === undefined || segment === its ? null : segment;
}

/** The routes of translations: below that of the translation above them, as the site forms them. */
class OwnRoutes {
  /** Language and route of the main page to the route of the translation. */
  readonly #routes = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** The route and the slug of a translation; without a slug whose route another one has. */
  take(main: string, lang: string, slug: string | null): [route: string, slug: string | null] {
    if (main === "/") return ["/", null];
    const above = this.#of(posix.dirname(main), lang);
    const candidate = slug === null ? null : posix.join(above, slug);
    const isFree = candidate !== null && !this.#taken.has(`${lang} ${candidate}`);
    const route = isFree ? candidate : posix.join(above, posix.basename(main));
    this.#routes.set(`${lang} ${main}`, route);
    this.#taken.add(`${lang} ${route}`);
    return [route, isFree ? slug : null];
  }

  #of(main: string, lang: string): string {
    if (main === "/") return "/";
    const assigned = this.#routes.get(`${lang} ${main}`);
    return assigned ?? posix.join(this.#of(posix.dirname(main), lang), posix.basename(main));
  }
}

/** The language as the site spells it; null when it has not this one. */
export function findLanguage(asked: string, supported: readonly string[]): string | null {
  const plain = (code: string): string => code.toLowerCase().replaceAll("_", "-");
  return supported.find((code) => plain(code) === plain(asked)) ?? null;
}
