import { isRecord } from "#kernel";
import type { PageEntry } from "../../../content/contract.js";
import type { ModuleView, PageView } from "../../contract.js";
import { directionOf } from "../../theme/strings.js";
import { linksBelow } from "./relation-views.js";
import type { RenderContext, Scope } from "../render-context.js";

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
    dir: directionOf(entry.lang),
    fallback: entry.standsInFor !== undefined,
    Component: await theme.templates.part("blocks", name),
  };
}
