import { isRecord } from "#kernel";
import type { CollectionQuery, PageEntry } from "../../../content/contract.js";
import type { ModuleView } from "../../contract.js";
import { directionOf } from "../../theme/strings.js";
import type { PageView } from "../../contract.js";
import { relationViews } from "./relation-views.js";
import type { RenderContext, Scope } from "../render-context.js";
import { withUniqueIds } from "../document/unique-ids.js";

/** A page whose modules are shown. */
export interface ModuleOwner {
  readonly entry: PageEntry;
  readonly view: PageView;
  /** The collection of the page: with `@self.modules` it selects and orders the modules. */
  readonly query: CollectionQuery | undefined;
}

/** The modules of a page for templates, each with its component. */
export async function moduleViews(
  context: RenderContext,
  scope: Scope,
  owner: ModuleOwner,
): Promise<readonly ModuleView[]> {
  const entries = await modulesOf(scope, owner);
  if (entries.length === 0) return NO_MODULES;
  const views = await Promise.all(entries.map((entry) => moduleView(context, scope, entry)));
  const taken = new Set<string>();
  withUniqueIds(owner.view.html, taken);
  return views.map((view) => ({ ...view, html: withUniqueIds(view.html, taken) }));
}

const NO_MODULES: readonly ModuleView[] = Object.freeze([]);

async function modulesOf(
  { view }: Scope,
  { entry, query }: ModuleOwner,
): Promise<readonly PageEntry[]> {
  if (query === undefined || !selectsModules(query)) return view.modules(entry);
  const { items } = await view.collection(query, entry);
  return items.filter(({ isModule }) => isModule);
}

function selectsModules({ items }: CollectionQuery): boolean {
  const value = typeof items === "string" ? items : items["@self.modules"];
  return value === "@self.modules" || (isRecord(items) && value !== undefined && value !== false);
}

async function moduleView(
  context: RenderContext,
  scope: Scope,
  entry: PageEntry,
): Promise<ModuleView> {
  const { view, theme } = scope;
  const page = await view.load(entry);
  const { html, reads = [], until } = await context.markdown.render(page);
  for (const tag of reads) view.reads.add(tag);
  if (until !== undefined) view.expireAt(until);
  const { title } = entry.frontmatter;
  return {
    name: entry.template,
    title: typeof title === "string" ? title : "",
    html: context.pictures.inBody(html, view),
    data: entry.frontmatter,
    relations: relationViews(context, scope, entry),
    media: await context.pictures.ofPage(page.media, entry),
    lang: entry.lang,
    dir: directionOf(entry.lang),
    fallback: entry.standsInFor !== undefined,
    Component: await theme.templates.part("modules", entry.template),
  };
}
