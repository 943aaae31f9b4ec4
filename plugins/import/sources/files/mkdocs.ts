/** MkDocs: the folder of a site, with `mkdocs.yml` and `docs/`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { readYaml } from "#lib/yaml";
import { mkdocsSidebar } from "../sidebar/list-sidebars.js";
import { readConfigFile } from "../source-files.js";
import { mkdocsText } from "./mkdocs-text.js";
import { parsePosition, text, yamlValues } from "./front-matter.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  isIn,
  pathOfPage,
  toAddress,
} from "./folder-source.js";

interface NavPlace {
  readonly title: string | null;
  readonly position: number;
}

/** The source `mkdocs`. */
export const mkdocs = folderSource(
  "the folder of a site, with mkdocs.yml and docs/",
  async ({ root, paths }) => {
    const config = await readConfig(root);
    const docs = (text(config["docs_dir"]) ?? "docs").replaceAll(/^\.?\/|\/$/g, "");
    const nav = readNav(config["nav"]);
    const url = text(config["site_url"]);
    const folders = { docs, snippets: readSnippetFolders(config["markdown_extensions"]) };
    const rules: FolderRules = {
      hosts: url !== null && URL.canParse(url) ? [new URL(url).hostname] : [],
      basePath: url !== null && URL.canParse(url) ? new URL(url).pathname : "",
      answersAtFolders: config["use_directory_urls"] !== false,
      linkRoots: [docs],
      extensions: [".md"],
      isIgnored: (path) => !isIn(path, docs) || /\.(?:css|js|html|py|scss)$/.test(path),
      isPage: (path) => path.endsWith(".md"),
      place: (page) => place(page, docs, nav),
      addressOf: (path) => toAddress(path.slice(docs.length + 1)),
      transform: (body, { path }, read) => mkdocsText(body, path, folders, read),
      sidebar: await mkdocsSidebar({ root, paths, folder: docs }, config["nav"]),
    };
    return rules;
  },
);

function place(
  { path, data }: PageFile,
  docs: string,
  nav: ReadonlyMap<string, NavPlace>,
): PlacedPage {
  const below = path.slice(docs.length + 1);
  const route = toAddress(pathOfPage(below));
  const there = nav.get(below) ?? nav.get(posix.dirname(below));
  return {
    route,
    template: "docs",
    addresses: [route, `${route}.html`],
    position: parsePosition(data["weight"], data["order"], there?.position),
    matter:
      there?.title === null || there === undefined || data["title"] !== undefined
        ? {}
        : { nav_title: there.title },
  };
}

/** File to its place: the number of its entry, from 1. Folders have the place of their first entry. */
function readNav(nav: unknown): ReadonlyMap<string, NavPlace> {
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

async function readConfig(root: string): Promise<Record<string, unknown>> {
  const source = await readConfigFile(root, "mkdocs.yml");
  // Also what can be read of a file with mistakes; tags such as `!!python/name:` are left out.
  const data = yamlValues(readYaml(source));
  return isRecord(data) ? data : {};
}

/** Folders of snippets, from the options of `pymdownx.snippets`. */
function readSnippetFolders(extensions: unknown): string[] {
  const list = Array.isArray(extensions) ? extensions : [extensions];
  return list.flatMap((item) => {
    const options = isRecord(item) ? item["pymdownx.snippets"] : undefined;
    const base = isRecord(options) ? options["base_path"] : undefined;
    return (Array.isArray(base) ? base : [base]).flatMap((one) => text(one) ?? []);
  });
}
