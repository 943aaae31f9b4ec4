/** MkDocs: the folder of a site, with `mkdocs.yml` and `docs/`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { readYaml } from "#lib/yaml";
import { positionOf, text } from "./common-matter.js";
import { folderSource, type FolderRules, type PageFile, type PlacedPage } from "./folder-source.js";
import { mkdocsText } from "./mkdocs-text.js";
import { isIn, pathOfPage, toAddress } from "./paths.js";
import { yamlValues } from "./read-matter.js";
import { readConfigFile } from "../../write/source-file.js";

interface NavPlace {
  readonly title: string | null;
  readonly position: number;
}

/** The source `mkdocs`. */
export const mkdocs = folderSource(
  "the folder of a site, with mkdocs.yml and docs/",
  async ({ root }) => {
    const config = await configOf(root);
    const docs = (text(config["docs_dir"]) ?? "docs").replaceAll(/^\.?\/|\/$/g, "");
    const nav = navOf(config["nav"]);
    const url = text(config["site_url"]);
    const rules: FolderRules = {
      hosts: url !== null && URL.canParse(url) ? [new URL(url).hostname] : [],
      extensions: [".md"],
      isIgnored: (path) => !isIn(path, docs) || /\.(?:css|js|html|py|scss)$/.test(path),
      isPage: (path) => path.endsWith(".md"),
      place: (page) => place(page, { docs, nav }),
      addressOf: (path) => toAddress(path.slice(docs.length + 1)),
      transform: (body) => mkdocsText(body),
    };
    return rules;
  },
);

function place(
  { path, data }: PageFile,
  { docs, nav }: { docs: string; nav: ReadonlyMap<string, NavPlace> },
): PlacedPage {
  const own = path.slice(docs.length + 1);
  const route = toAddress(pathOfPage(own));
  const there = nav.get(own) ?? nav.get(posix.dirname(own));
  return {
    route,
    template: "docs",
    addresses: [route, `${route}.html`],
    position: positionOf(data["weight"], data["order"], there?.position),
    matter:
      there?.title === null || there === undefined || data["title"] !== undefined
        ? {}
        : { nav_title: there.title },
  };
}

/** File to its place: the number of its entry, from 1. Folders have the place of their first entry. */
function navOf(nav: unknown): ReadonlyMap<string, NavPlace> {
  const places = new Map<string, NavPlace>();
  const walk = (items: unknown, depth: number): void => {
    if (!Array.isArray(items) || depth > 10) return;
    for (const item of items) {
      if (typeof item === "string") add(item, null);
      else if (isRecord(item)) {
        for (const [title, value] of Object.entries(item)) {
          if (typeof value === "string") add(value, title);
          else walk(value, depth + 1);
        }
      }
    }
  };
  const add = (path: string, title: string | null): void => {
    if (!path.endsWith(".md")) return;
    const file = path.replace(/^\.\//, "");
    places.set(file, { title, position: places.size + 1 });
  };
  walk(nav, 0);
  return places;
}

async function configOf(root: string): Promise<Record<string, unknown>> {
  const source = await readConfigFile(root, "mkdocs.yml");
  try {
    // Tags such as `!!python/name:` are warnings.
    const data = yamlValues(readYaml(source));
    return isRecord(data) ? data : {};
  } catch {
    return {};
  }
}
