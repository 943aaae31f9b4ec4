import type { PageEntry } from "../../../content/contract.js";
import type { PageLink, PageView, ShownField } from "../../contract.js";
import type { RenderContext } from "../render-context.js";

/** Ids, file names and sources say nothing to readers. */
const UNSHOWN = new Set([
  "user",
  "record",
  "records",
  "media",
  "file",
  "hidden",
  "markdown",
  "code",
]);
const PAGES = new Set(["page", "pages"]);
const NONE: readonly ShownField[] = Object.freeze([]);

/** The fields that the blueprint of a page shows, with their values. Maps and empty values are left out. */
export function shownFields(
  { content }: Pick<RenderContext, "content">,
  { template, frontmatter }: PageEntry,
  relations: PageView["relations"],
): readonly ShownField[] {
  const blueprint = content.blueprints.of(template);
  if (blueprint === undefined || blueprint.show.length === 0) return NONE;
  return blueprint.show.flatMap((name): ShownField[] => {
    const field = blueprint.fields.find((one) => one.name === name);
    const value = frontmatter[name];
    if (field === undefined || UNSHOWN.has(field.type) || !isShown(value)) return [];
    const { type, label, options } = field;
    const links = PAGES.has(type) ? linksOf(relations, name) : [];
    // The visitor may see none of the pages.
    if (PAGES.has(type) && links.length === 0) return [];
    return [{ name, type, label, options: [...options], value, links }];
  });
}

function isShown(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isShown);
  return value !== undefined && value !== null && value !== "" && typeof value !== "object";
}

/** A list of pages has one relation for each, `parts.0`. */
function linksOf(relations: PageView["relations"], name: string): PageLink[] {
  const own = Object.entries(relations).filter(
    ([field]) => field === name || field.startsWith(`${name}.`),
  );
  return own.flatMap(([, link]) => (link === null ? [] : [link]));
}
