/** Where translations go: beside the page in the main language, with the language in the file name. */
import type { PagePlaces, SiteTree } from "./page-places.js";
import type { PlannedPage } from "./planned.js";

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
  for (const page of pages) {
    const wanted = page.translation?.lang ?? "";
    const lang = languageOf(wanted, context.tree.languages);
    if (lang === null) {
      page.leftOut = `it is in ${JSON.stringify(wanted)}: add this to languages.supported in system.yaml, and import again`;
      continue;
    }
    page.lang = lang;
    place(page, lang, context);
    if (taken.has(page.path)) page.leftOut = `another file is the translation of the same page`;
    taken.add(page.path);
  }
}

function place(
  page: PlannedPage,
  lang: string,
  { tree, places, mainOf }: TranslationContext,
): void {
  const main = page.translation === null ? undefined : mainOf(page.translation.of);
  if (main === undefined) places.place([page]);
  else [page.path, page.route] = [main.path, main.route];
  page.path = page.path.replace(/\.md$/, `.${lang}.md`);
  const there = tree.at(page.route, lang);
  page.takenBy = there === undefined || there.sourcePath === page.path ? null : there.sourcePath;
  page.route = tree.addressOf(page.route, lang);
}

/** The language as the site spells it; null when it has not this one. */
function languageOf(wanted: string, supported: readonly string[]): string | null {
  const plain = (code: string): string => code.toLowerCase().replaceAll("_", "-");
  return supported.find((code) => plain(code) === plain(wanted)) ?? null;
}
