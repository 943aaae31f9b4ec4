/** Numbers, parents and types of the posts of an export. */
import { posix } from "node:path";
import type { PageEntry } from "../../../content/contract.js";
import { slugOf } from "../../plan/safe-name.js";

/** A page as a post. */
export interface PlannedPost {
  readonly id: number;
  readonly entry: PageEntry;
  readonly type: "post" | "page";
  /** Id of the page above; 0 at the top. */
  readonly parent: number;
  /** Address below the parent, percent-encoded. */
  readonly slug: string;
  /** Names of authors; empty for none. */
  readonly author: string;
}

/** Plans all posts. WordPress lists posts by date below one address, so only `/blog/…` has them. */
export function planPosts(pages: readonly PageEntry[]): readonly PlannedPost[] {
  const ids = new Map<string, number>();
  for (const [at, entry] of pages.entries()) if (!isPost(entry)) ids.set(entry.route, at + 1);
  return pages.map((entry, at) => {
    const above = isPost(entry) ? "/blog" : aboveOf(entry.route, ids);
    const rest = entry.route.slice(above === "/" ? 1 : above.length + 1);
    return {
      id: at + 1,
      entry,
      type: isPost(entry) ? "post" : "page",
      author: authorOf(entry),
      parent: isPost(entry) || above === "/" ? 0 : (ids.get(above) ?? 0),
      slug: encodeURIComponent(rest === "" ? "home" : rest),
    };
  });
}

function isPost({ route, template, date }: PageEntry): boolean {
  return /^\/blog\/[^/]+$/.test(route) && (template === "post" || date !== null);
}

/** The nearest page above. */
function aboveOf(route: string, ids: ReadonlyMap<string, number>): string {
  let above = posix.dirname(route);
  while (above !== "/" && !ids.has(above)) above = posix.dirname(above);
  return above;
}

function authorOf({ frontmatter }: PageEntry): string {
  const { author } = frontmatter;
  const names: unknown[] = Array.isArray(author) ? author : [author];
  return names.filter((name): name is string => typeof name === "string").join(", ");
}

/** The login of an author: a name for a reference within the file. */
export function loginOf(author: string): string {
  return slugOf(author);
}

/** WordPress' name of a taxonomy. */
export function domainOf(taxonomy: string): string {
  return taxonomy === "tag" ? "post_tag" : taxonomy;
}
