import { isRecord } from "#kernel";
import type { CollectionQuery, PageEntry } from "../../../content/contract.js";
import type { ModuleView, PageView } from "../../contract.js";
import { textDirection } from "../../theme/strings.js";
import type { RenderContext, Scope } from "../render-context.js";
import { relationViews, linksBelow } from "./page-view.js";

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
  const entries = await listModules(scope, owner);
  if (entries.length === 0) return NO_MODULES;
  const views = await Promise.all(entries.map((entry) => moduleView(context, scope, entry)));
  const taken = new Set<string>();
  withUniqueIds(owner.view.html, taken);
  return views.map((view) => ({ ...view, html: withUniqueIds(view.html, taken) }));
}

const NO_MODULES: readonly ModuleView[] = Object.freeze([]);

async function listModules(
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
    dir: textDirection(entry.lang),
    fallback: entry.standsInFor !== undefined,
    Component: await theme.templates.part("modules", entry.template),
  };
}

const TAG = /<[a-z](?:[^>"]|"[^"]*")*>/gi;
const ID = / id="([^"]*)"/;
/** Attributes whose value is an id, or a list of them. */
const NAMES = / (id|for|aria-labelledby|aria-describedby)="([^"]*)"/g;
const LINK = / href="#([^"]*)"/g;

/**
 * The HTML of a part with its ids renamed where `taken` has them already, and its links to them. Adds
 * its ids to `taken`.
 */
function withUniqueIds(html: string, taken: Set<string>): string {
  const renamed = new Map<string, string>();
  for (const [tag] of html.matchAll(TAG)) {
    const id = ID.exec(tag)?.[1];
    if (id === undefined) continue;
    const free = freeId(id, taken);
    if (free !== id) renamed.set(id, free);
    taken.add(free);
  }
  if (renamed.size === 0) return html;
  const rename = (ids: string): string =>
    ids
      .split(" ")
      .map((id) => renamed.get(id) ?? id)
      .join(" ");
  return html.replace(TAG, (tag) =>
    tag
      .replace(NAMES, (_, name: string, ids: string) => ` ${name}="${rename(ids)}"`)
      .replace(LINK, (_, id: string) => ` href="#${rename(id)}"`),
  );
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  for (let count = 2; ; count += 1) {
    const next = `${id}-${count}`;
    if (!taken.has(next)) return next;
  }
}

/** Most blocks of a field that are shown. */
const MAX_BLOCKS = 500;

type Blocks = Readonly<Record<string, readonly ModuleView[]>>;
const NO_BLOCKS: Blocks = Object.freeze({});

/** A page with its files. */
interface BlockOwner {
  readonly entry: PageEntry;
  readonly view: Pick<PageView, "media" | "relations">;
}
/** A block and where the page has it: `parts.2`. */
interface Placed {
  readonly owner: BlockOwner;
  readonly block: Readonly<Record<string, unknown>>;
  readonly way: string;
}

/** The blocks of a page, by the fields of kind `blocks` that its blueprint has. */
export async function blockViews(
  context: RenderContext,
  scope: Scope,
  owner: BlockOwner,
): Promise<Blocks> {
  const { entry } = owner;
  const blueprint = context.content.blueprints.of(entry.template);
  scope.view.reads.add("blueprints");
  const names = (blueprint?.fields ?? []).filter(({ type }) => type === "blocks");
  if (names.length === 0) return NO_BLOCKS;
  const blocks: Record<string, readonly ModuleView[]> = {};
  for (const { name } of names) {
    const value: unknown = Object.hasOwn(entry.frontmatter, name) ? entry.frontmatter[name] : [];
    const list: unknown[] = Array.isArray(value) ? value.slice(0, MAX_BLOCKS) : [];
    blocks[name] = await Promise.all(
      list.flatMap((block, at) =>
        isRecord(block) ? [blockView(context, scope, { owner, block, way: `${name}.${at}` })] : [],
      ),
    );
  }
  return blocks;
}

async function blockView(
  { markdown, pictures }: RenderContext,
  { theme, view: reader }: Scope,
  { owner: { entry, view }, block, way }: Placed,
): Promise<ModuleView> {
  const { type, title, body } = block;
  const name = typeof type === "string" ? type : "";
  // A body that is too large is left out; the page is shown.
  const html =
    typeof body === "string" ? await markdown.renderText(body, entry, reader).catch(() => "") : "";
  return {
    name,
    title: typeof title === "string" ? title : "",
    html: pictures.inBody(html, reader),
    data: block,
    relations: linksBelow(view.relations, way),
    media: view.media,
    lang: entry.lang,
    dir: textDirection(entry.lang),
    fallback: entry.standsInFor !== undefined,
    Component: await theme.templates.part("blocks", name),
  };
}
