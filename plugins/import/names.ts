/** The names that `site import` and `site export` accept, without the code that reads and writes. */

/** The systems that `site import` reads. */
export const SOURCES = [
  "wordpress",
  "ghost",
  "hugo",
  "jekyll",
  "eleventy",
  "docusaurus",
  "mkdocs",
  "vitepress",
  "vuepress",
  "starlight",
  "nuxt",
  "mdbook",
  "gitbook",
  "docsify",
  "zola",
  "obsidian",
  "notion",
  "grav",
  "kirby",
  "dune",
  "csv",
  "json",
] as const;
/** The formats that `site export` writes. */
export const FORMATS = ["markdown", "json", "wxr"] as const;

/** A system that `site import` reads. */
export type SourceName = (typeof SOURCES)[number];
/** A format that `site export` writes. */
export type FormatName = (typeof FORMATS)[number];

/** The element of `names` that equals `text`. */
export function named<T extends string>(names: readonly T[], text: string): T | undefined {
  return names.find((name) => name === text);
}
