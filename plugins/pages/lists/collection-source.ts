import { HttpError, type SiteContext } from "#kernel";
import type { CollectionQuery, ContentView, PageEntry } from "../../content/contract.js";
import { toSource } from "../params.js";

/** The query parameters that select the source of a collection. */
interface SourceQuery {
  source: string;
  lang?: string | undefined;
}

/**
 * The items and the language of a collection. The page is percent-encoded with a language prefix, which
 * sets the language of the collection unless `lang` overrides it.
 * @throws HttpError 404 for a page that is absent, 400 for a taxonomy that is not configured.
 */
export function resolveSource(
  site: SiteContext,
  view: ContentView,
  query: SourceQuery,
): Pick<CollectionQuery, "items" | "lang"> {
  const { addresses, languages } = site.use("content");
  const { name, value } = toSource(query.source);
  const own = query.lang ?? languages.main;
  if (value === null) return { items: { [name]: true }, lang: own };
  if (name.startsWith("@taxonomy.")) {
    assertTaxonomy(site, name.slice("@taxonomy.".length));
    return { items: { [name]: value }, lang: own };
  }
  const place = addresses.parse(value);
  const lang = query.lang ?? place.lang ?? languages.main;
  const page = view.page(place.route, place.lang ?? lang) ?? view.page(place.route, lang);
  if (page === undefined) throw new HttpError(404, "Not found");
  return { items: { [name]: routeIn(view, page, lang) }, lang };
}

/** The route of the page's translation, if any. */
function routeIn(view: ContentView, page: PageEntry, lang: string): string {
  if (page.lang === lang) return page.route;
  const translation = view.translations(page).find((other) => other.lang === lang);
  return translation?.entry.route ?? page.route;
}

function assertTaxonomy(site: SiteContext, name: string): void {
  if (site.settings.site.taxonomies.includes(name)) return;
  throw new HttpError(400, `source: taxonomy ${JSON.stringify(name)} is not defined in site.yaml`);
}
