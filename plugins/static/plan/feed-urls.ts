import type { SiteContext } from "#kernel";
import type { ContentView } from "../../content/contract.js";
import type {} from "../../feeds/contract.js";

const FILES = ["feed.xml", "atom.xml", "feed.json"];

/**
 * Feeds of the site, of each section with dated pages and of each of their taxonomy values, in
 * every language. Feed readers know these addresses, even if no page links to them.
 */
export function feedUrls(site: SiteContext, view: ContentView): string[] {
  const hasFeeds = site.runtime.plugins().some(({ name }) => name === "feeds");
  if (!hasFeeds || !site.settings.site.feed.enabled) return [];
  const { addresses } = site.use("content");
  const languages = site.settings.system.languages.supported.flatMap((lang) => {
    const root = addresses.rootOf(lang);
    return [root, ...taxonomyValues(view, lang).map((place) => root + place)];
  });
  const places = new Set([...languages, ...sections(site, view)]);
  return [...places].flatMap((place) => FILES.map((file) => `${place}/${file}`));
}

/** Addresses of pages with dated pages below them. */
function sections(site: SiteContext, view: ContentView): string[] {
  const parents = new Map<string, { route: string; lang: string }>();
  for (const entry of site.use("content").generation().entries) {
    const { date, routable, isModule, parent, lang } = entry;
    if (date === null || !routable || isModule || parent === null) continue;
    if (view.canSee(entry)) parents.set(`${lang} ${parent}`, { route: parent, lang });
  }
  return [...parents.values()].flatMap(({ route, lang }) => {
    const section = view.page(route, lang);
    return section?.routable === true && section.route !== "/" ? [section.url] : [];
  });
}

function taxonomyValues(view: ContentView, lang: string): string[] {
  const values = Object.entries(view.taxonomies(lang)).flatMap(([name, counts]) =>
    Object.keys(counts).map((value) => ({ name, value })),
  );
  return values
    .filter(({ value }) => !value.includes("/"))
    .filter(({ name, value }) =>
      view.taxonomyPages(name, value, lang).some(({ date }) => date !== null),
    )
    .map(({ name, value }) => `/taxonomy/${encodeURIComponent(name)}/${encodeURIComponent(value)}`);
}
