import type { SiteContext } from "#kernel";
import type { ContentView, PageEntry } from "../../content/contract.js";
import type {} from "../../markdown/contract.js";
import { toCollectionItem, toModule } from "../lists/items.js";

/** A page with its HTML; the view notes what it was rendered from. */
export async function renderedPage(site: SiteContext, view: ContentView, entry: PageEntry) {
  const page = await view.load(entry);
  const rendered = await site.use("markdown").render(page);
  for (const tag of rendered.reads ?? []) view.reads.add(tag);
  if (rendered.until !== undefined) view.expireAt(rendered.until);
  return { page, rendered };
}

/** The modules of a page with HTML, front matter and files. */
export async function toModules(
  site: SiteContext,
  view: ContentView,
  modules: readonly PageEntry[],
) {
  const rendered = await Promise.all(modules.map((entry) => renderedPage(site, view, entry)));
  return rendered.map(({ page, rendered: { html } }) => toModule(page, html));
}

/** The items of a collection: those that are modules with their HTML. */
export async function toItemsWithHtml(
  site: SiteContext,
  view: ContentView,
  entries: readonly PageEntry[],
) {
  return Promise.all(
    entries.map(async (entry) => ({
      ...toCollectionItem(entry),
      ...(await htmlOfModule(site, view, entry)),
    })),
  );
}

/** What an item of a collection has beyond its own keys: the HTML of a module. */
export async function htmlOfModule(
  site: SiteContext,
  view: ContentView,
  entry: PageEntry,
): Promise<{ html?: string }> {
  if (!entry.isModule) return {};
  const { rendered } = await renderedPage(site, view, entry);
  return { html: rendered.html };
}
