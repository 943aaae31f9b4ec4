/** The sources of `site import`, by name. */
import type { ImportSource, ImportedPage, ImportItem, Origin } from "../contract.js";
import type { SourceName } from "../names.js";
import { docsify } from "./files/docsify.js";
import { docusaurus } from "./files/docusaurus.js";
import { eleventy } from "./files/eleventy.js";
import { gitbook } from "./files/gitbook.js";
import { dune, grav } from "./files/grav.js";
import { hugo } from "./files/hugo.js";
import { jekyll } from "./files/jekyll.js";
import { kirby } from "./files/kirby.js";
import { mdbook } from "./files/mdbook.js";
import { mkdocs } from "./files/mkdocs.js";
import { notion } from "./files/notion.js";
import { nuxt } from "./files/nuxt.js";
import { obsidian } from "./files/obsidian.js";
import { starlight } from "./files/starlight.js";
import { vitepress, vuepress } from "./files/vitepress.js";
import { zola } from "./files/zola.js";
import { ghost } from "./ghost/ghost.js";
import { csv, json } from "./records.js";
import { wordpress } from "./wordpress/wordpress.js";

/** Every source. */
export const sources: Readonly<Record<SourceName, ImportSource>> = {
  wordpress: withHome(wordpress),
  ghost: withHome(ghost),
  hugo: withHome(hugo),
  jekyll: withHome(jekyll),
  eleventy: withHome(eleventy),
  docusaurus: withHome(docusaurus),
  mkdocs: withHome(mkdocs),
  vitepress: withHome(vitepress),
  vuepress: withHome(vuepress),
  starlight: withHome(starlight),
  nuxt: withHome(nuxt),
  mdbook: withHome(mdbook),
  gitbook: withHome(gitbook),
  docsify: withHome(docsify),
  zola: withHome(zola),
  obsidian: withHome(obsidian),
  notion: withHome(notion),
  grav,
  kirby: withHome(kirby),
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

/** The source with a home page, and with a page `/blog` when it has posts. */
function withHome(source: ImportSource): ImportSource {
  return { ...source, items: (input) => completed(source.items(input)) };
}

async function* completed(items: AsyncIterable<ImportItem>): AsyncGenerator<ImportItem> {
  const seen: Seen = { home: false, blog: false, posts: false, pages: false };
  for await (const item of items) {
    if (item.kind === "page" && item.translation === undefined) note(item.route, seen);
    yield item;
  }
  if (seen.posts && !seen.blog) yield generated("/blog", "blog", { title: "Blog" });
  if (seen.pages && !seen.home) yield generated("/", "landing", homeMatter(seen.posts));
}

function note(route: string, seen: Seen): void {
  seen.pages = true;
  if (route === "/") seen.home = true;
  if (route === "/blog") seen.blog = true;
  if (route.startsWith("/blog/")) seen.posts = true;
}

function homeMatter(hasPosts: boolean): Record<string, unknown> {
  const order = hasPosts ? { by: "date", dir: "desc" } : { by: "order", dir: "asc" };
  const items = hasPosts ? { "@page.children": "/blog" } : { "@page.children": "/" };
  return { title: "Home", collection: { items, order, limit: 20 } };
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
