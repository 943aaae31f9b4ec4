/**
 * Where translations go: beside the page in the main language, with the language in the file name. Those that
 * the source names otherwise get this name as `slug`.
 */
import { posix } from "node:path";
import type { PagePlaces, SiteTree } from "./page-places.js";
import type { PlannedPage } from "./planned.js";
import { folderName } from "./safe-name.js";

/** What placing translations needs. */
export interface TranslationContext {
  readonly tree: SiteTree;
  readonly places: PagePlaces;
  /** The page of the main language at an address of the source. */
  mainOf(address: string): PlannedPage | undefined;
}

/** Sets path, route and language of translations; leaves out those in languages that the site lacks. */
export function placeTranslations(
  pages: readonly PlannedPage[],
  context: TranslationContext,
): void {
  const taken = new Set<string>();
  const own = new OwnRoutes();
  // Pages above name the addresses of those below.
  const depthOf = ({ translation }: PlannedPage): number =>
    context.mainOf(translation?.of ?? "")?.route.split("/").length ?? 0;
  for (const page of pages.toSorted((a, b) => depthOf(a) - depthOf(b))) {
    const wanted = page.translation?.lang ?? "";
    const lang = languageOf(wanted, context.tree.languages);
    if (lang === null) {
      page.leftOut = `it is in ${JSON.stringify(wanted)}: add this to languages.supported in system.yaml, and import again`;
      continue;
    }
    page.lang = lang;
    place(page, lang, { ...context, own });
    if (taken.has(page.path)) page.leftOut = `another file is the translation of the same page`;
    taken.add(page.path);
  }
}

function place(
  page: PlannedPage,
  lang: string,
  { tree, places, mainOf, own }: TranslationContext & { own: OwnRoutes },
): void {
  const main = page.translation === null ? undefined : mainOf(page.translation.of);
  if (main === undefined) places.place([page]);
  else {
    page.path = main.path;
    [page.route, page.slug] = own.take(main.route, lang, slugOf(page, main));
  }
  page.path = page.path.replace(/\.md$/, `.${lang}.md`);
  const there = tree.at(page.route, lang);
  page.takenBy = there === undefined || there.sourcePath === page.path ? null : there.sourcePath;
  page.route = tree.addressOf(page.route, lang);
}

/** The last segment of the wanted address when it is not that of the main page; else null. */
function slugOf(page: PlannedPage, main: PlannedPage): string | null {
  if (page.wantedRoute === "/" || main.wantedRoute === "/" || main.route === "/") return null;
  const [own, its] = [page, main].map(({ wantedRoute }) => folderName(posix.basename(wantedRoute)));
  return own === undefined || own === its ? null : own;
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
    const wanted = slug === null ? null : posix.join(above, slug);
    const isFree = wanted !== null && !this.#taken.has(`${lang} ${wanted}`);
    const route = isFree ? wanted : posix.join(above, posix.basename(main));
    this.#routes.set(`${lang} ${main}`, route);
    this.#taken.add(`${lang} ${route}`);
    return [route, isFree ? slug : null];
  }

  #of(main: string, lang: string): string {
    if (main === "/") return "/";
    const known = this.#routes.get(`${lang} ${main}`);
    return known ?? posix.join(this.#of(posix.dirname(main), lang), posix.basename(main));
  }
}

/** The language as the site spells it; null when it has not this one. */
function languageOf(wanted: string, supported: readonly string[]): string | null {
  const plain = (code: string): string => code.toLowerCase().replaceAll("_", "-");
  return supported.find((code) => plain(code) === plain(wanted)) ?? null;
}
