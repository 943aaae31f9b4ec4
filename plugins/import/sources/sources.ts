/** The sources of `site import`, by name. */
import type { ImportSource, ImportedPage, ImportItem, Origin } from "../contract.js";
import type { SourceName } from "../names.js";
import { docsify } from "./files/docsify.js";
import { docusaurus } from "./docusaurus/docusaurus.js";
import { eleventy } from "./files/eleventy.js";
import { gitbook } from "./books/gitbook.js";
import { dune, grav } from "./grav/grav.js";
import { hugo } from "./hugo/hugo.js";
import { jekyll } from "./files/jekyll.js";
import { kirby } from "./files/kirby.js";
import { mdbook } from "./books/mdbook.js";
import { mkdocs } from "./mkdocs/mkdocs.js";
import { notion } from "./notion/notion.js";
import { nuxt } from "./nuxt/nuxt.js";
import { obsidian } from "./files/obsidian.js";
import { starlight } from "./starlight/starlight.js";
import { vitepress, vuepress } from "./vitepress/vitepress.js";
import { zola } from "./zola/zola.js";
import { ghost } from "./ghost/ghost.js";
import { OldLists } from "./old-lists.js";
import { csv, json } from "./records.js";
import { wordpress } from "./wordpress/wordpress.js";

/** Every source. */
export const sources: Readonly<Record<SourceName, ImportSource>> = {
  wordpress: withHome("wordpress", wordpress),
  ghost: withHome("ghost", ghost),
  hugo: withHome("hugo", hugo),
  jekyll: withHome("jekyll", jekyll),
  eleventy: withHome("eleventy", eleventy),
  docusaurus: withHome("docusaurus", docusaurus),
  mkdocs: withHome("mkdocs", mkdocs),
  vitepress: withHome("vitepress", vitepress),
  vuepress: withHome("vuepress", vuepress),
  starlight: withHome("starlight", starlight),
  nuxt: withHome("nuxt", nuxt),
  mdbook: withHome("mdbook", mdbook),
  gitbook: withHome("gitbook", gitbook),
  docsify: withHome("docsify", docsify),
  zola: withHome("zola", zola),
  obsidian: withHome("obsidian", obsidian),
  notion: withHome("notion", notion),
  grav,
  kirby: withHome("kirby", kirby),
  dune,
  csv,
  json,
};

/** Kinds of pages that a source has. */
interface Seen {
  home: boolean;
  /** The list of posts. */
  blog: boolean;
  posts: boolean;
  pages: boolean;
}

const GENERATED: Origin = { file: "generated" };

/** The source with a home page, with a page `/blog` when it has posts, and with redirects of its lists and feeds. */
function withHome(name: SourceName, source: ImportSource): ImportSource {
  return { ...source, items: (input) => completed(source.items(input), new OldLists(name)) };
}

async function* completed(
  items: AsyncIterable<ImportItem>,
  lists: OldLists,
): AsyncGenerator<ImportItem> {
  const seen: Seen = { home: false, blog: false, posts: false, pages: false };
  let title = "";
  for await (const item of items) {
    if (item.kind === "site") title = item.title ?? "";
    if (item.kind === "page") lists.add(item);
    if (item.kind === "notImported") lists.leave(item);
    if (item.kind === "page" && item.translation === undefined) note(item.route, seen);
    yield item;
  }
  if (seen.posts && !seen.blog) yield generated("/blog", "blog", { title: "Blog" });
  if (seen.pages && !seen.home)
    yield seen.posts
      ? generated("/", "blog", blogHome(title))
      : generated("/", "landing", pageHome(title));
  yield* lists.redirects(GENERATED);
}

function note(route: string, seen: Seen): void {
  seen.pages = true;
  if (route === "/") seen.home = true;
  if (route === "/blog") seen.blog = true;
  if (route.startsWith("/blog/")) seen.posts = true;
}

/** A blog begins with its posts. */
function blogHome(title: string): Record<string, unknown> {
  const items = { "@page.children": "/blog" };
  return {
    title: title || "Posts",
    nav_title: "Home",
    collection: { items, order: { by: "date", dir: "desc" }, limit: 20 },
  };
}

function pageHome(title: string): Record<string, unknown> {
  const items = { "@page.children": "/" };
  const collection = { items, order: { by: "order", dir: "asc" }, limit: 20 };
  return { title: title || "Home", ...(title !== "" && { nav_title: "Home" }), collection };
}

function generated(
  route: string,
  template: string,
  frontmatter: Record<string, unknown>,
): ImportedPage {
  return {
    kind: "page",
    origin: GENERATED,
    route,
    template,
    frontmatter,
    isOptional: true,
    position: route === "/" ? null : 90,
    // Links to the address reach it although no file of the source makes it.
    addresses: [route],
    base: { url: null, file: null },
    body: { format: "markdown", text: "" },
  };
}
