/** The sources of `site import`, by name. */
import type { ImportSource } from "../contract.js";
import type { SourceName } from "../names.js";
import { docusaurus } from "./files/docusaurus.js";
import { eleventy } from "./files/eleventy.js";
import { dune, grav } from "./files/grav.js";
import { hugo } from "./files/hugo.js";
import { jekyll } from "./files/jekyll.js";
import { kirby } from "./files/kirby.js";
import { mkdocs } from "./files/mkdocs.js";
import { notion } from "./files/notion.js";
import { obsidian } from "./files/obsidian.js";
import { ghost } from "./ghost/ghost.js";
import { csv, json } from "./records.js";
import { withHome } from "./with-home.js";
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
  obsidian: withHome(obsidian),
  notion: withHome(notion),
  grav,
  kirby: withHome(kirby),
  dune,
  csv,
  json,
};
