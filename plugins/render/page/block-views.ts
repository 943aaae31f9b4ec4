import { isRecord } from "#kernel";
import type { PageEntry } from "../../content/contract.js";
import type { MediaView, ModuleView } from "../contract.js";
import { directionOf } from "../theme/strings.js";
import type { RenderContext, Scope } from "./render-context.js";

/** Most blocks of a field that are shown. */
const MAX_BLOCKS = 500;

type Blocks = Readonly<Record<string, readonly ModuleView[]>>;
const NO_BLOCKS: Blocks = Object.freeze({});

/** A page with its files. */
interface BlockOwner {
  readonly entry: PageEntry;
  readonly media: readonly MediaView[];
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
      list.filter(isRecord).map((block) => blockView(context, scope, { owner, block })),
    );
  }
  return blocks;
}

async function blockView(
  { markdown }: RenderContext,
  { theme }: Scope,
  { owner, block }: { owner: BlockOwner; block: Readonly<Record<string, unknown>> },
): Promise<ModuleView> {
  const { entry, media } = owner;
  const { type, title, body } = block;
  const name = typeof type === "string" ? type : "";
  // A body that is too large is left out; the page is shown.
  const html =
    typeof body === "string" ? await markdown.renderText(body, entry).catch(() => "") : "";
  return {
    name,
    title: typeof title === "string" ? title : "",
    html,
    data: block,
    media,
    lang: entry.lang,
    dir: directionOf(entry.lang),
    fallback: entry.standsInFor !== undefined,
    Component: await theme.templates.part("blocks", name),
  };
}
