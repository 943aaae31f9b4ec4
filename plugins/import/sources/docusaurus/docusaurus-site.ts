/** What the configuration of Docusaurus says, and the files beside it. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { readYaml } from "#lib/yaml";
import type { ImportedSite, NotImported } from "../../contract.js";
import type { DocusaurusSite } from "../sidebar/sidebar-source.js";
import { readConfigFile } from "../source-files.js";
import { scriptKeys, unreadKeys } from "../files/beside-content.js";
import { isIn } from "../files/folder-source.js";
import { parseJsonMap, parsePosition, text } from "../files/front-matter.js";

const TEXTS =
  /^i18n\/([a-z]{2,3}(?:-[a-z]{2,4})?)\/docusaurus-plugin-content-docs\/current\.json$/i;
const PAGE = /\.mdx?$/;
/** Keys of the configuration that are read, or that decide only how Docusaurus builds. */
const READ = [
  ..."title tagline favicon url baseUrl organizationName projectName deploymentBranch i18n presets".split(
    " ",
  ),
  ..."onBrokenLinks onBrokenMarkdownLinks onBrokenAnchors trailingSlash future markdown".split(" "),
];
/** The configuration, below the source folder. */
export const CONFIG = /^(?:website\/)?docusaurus\.config\.[cm]?[jt]s$/;

/** A site of Docusaurus, by its configuration and its files. */
export interface Site {
  /** True when the site is in `website/`, as in repositories with `docs/` beside it. */
  readonly isBelow: boolean;
  /** The path without `website/`. */
  readonly own: (path: string) => string;
  readonly host: string | null;
  /** The path of the site on its host. */
  readonly basePath: string;
  /** Prefix of the documents. */
  readonly docs: string;
  readonly blog: string;
  /** Further folders of documents, and the prefix of each. */
  readonly folders: ReadonlyMap<string, string>;
  /** By the path of the folder: `docs/guide`, `versioned_docs/version-2.0/guide`. */
  readonly categories: ReadonlyMap<string, Category>;
  readonly sidebar: Pick<DocusaurusSite, "file" | "names" | "texts">;
  /** The versions of the documents, the latest first; without the one that is written now. */
  readonly versions: readonly string[];
  /** The version at the address of the documents; null for the one that is written now. */
  readonly latest: string | null;
  /** True: documents that are written now answered below `next/`, though no other version is in the folder. */
  readonly isNext: boolean;
  readonly facts: Pick<ImportedSite, "title" | "description">;
  /** Keys of the configuration without a counterpart. */
  readonly unread: readonly NotImported[];
}
/** What `_category_.json` says of a folder. */
export interface Category {
  readonly label: string | null;
  readonly position: number | null;
}

/** Reads the configuration, which is not run, and what stands beside it. */
export async function readSite(root: string, paths: readonly string[]): Promise<Site> {
  const name = paths.find((path) => CONFIG.test(path));
  const isBelow = name !== undefined && isIn(name, "website");
  const own = (path: string): string => (isBelow ? path.replace(/^website\//, "") : path);
  const config = name === undefined ? "" : await readConfigFile(root, name);
  const url = /\burl:\s*["'`]([^"'`]+)["'`]/.exec(config)?.[1] ?? "";
  const host = URL.canParse(url) ? new URL(url).hostname : null;
  return {
    isBelow,
    own,
    host,
    basePath: /\bbaseUrl:\s*["'`](\/[^"'`]*)["'`]/.exec(config)?.[1] ?? "",
    docs: routeOf(config),
    folders: readInstances(config),
    blog: "blog",
    categories: await readCategories(root, paths, own),
    ...(await readVersions(root, isBelow ? "website" : "", { config, paths })),
    sidebar: {
      file: sidebarFile(config, isBelow ? "website" : ""),
      names: sidebarNames(config),
      texts: await readTexts(root, paths, own),
    },
    facts: {
      title: /\btitle:\s*["'`]([^"'`\n]+)["'`]/.exec(config)?.[1] ?? null,
      description: /\btagline:\s*["'`]([^"'`\n]+)["'`]/.exec(config)?.[1] ?? null,
    },
    unread: unreadKeys({ file: name ?? "", data: scriptKeys(config), read: READ }),
  };
}

async function readVersions(
  root: string,
  site: string,
  { config, paths }: { config: string; paths: readonly string[] },
): Promise<Pick<Site, "versions" | "latest" | "isNext">> {
  const { values } = readYaml(await readConfigFile(root, posix.join(site, "versions.json")));
  const named = (Array.isArray(values) ? values : []).flatMap((one: unknown) => text(one) ?? []);
  const versions = named.filter((version) => {
    const folder = posix.join(site, `versioned_docs/version-${version}`);
    return paths.some((path) => isIn(path, folder));
  });
  const stated = /\blastVersion:\s*["'`]([^"'`]+)["'`]/.exec(config)?.[1];
  const latest = stated === "current" ? null : (stated ?? named[0] ?? null);
  return versions.length === 0
    ? { versions, latest: null, isNext: latest !== null }
    : { versions, latest, isNext: false };
}

/** The file that `sidebarPath` names; null: the usual one. */
function sidebarFile(config: string, site: string): string | null {
  const name =
    /\bsidebarPath:\s*(?:require\.resolve\(\s*)?["'`]([^"'`]+)["'`]/.exec(config)?.[1] ?? null;
  const path = name === null ? null : posix.join(site, name);
  return path === null || path.startsWith("..") ? null : path;
}

/** The labels of entries of the navigation bar that lead to a sidebar. */
function sidebarNames(config: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [entry] of config.matchAll(/\{[^{}]{0,500}\bsidebarId:[^{}]{0,500}\}/g)) {
    const id = /\bsidebarId:\s*["'`]([^"'`]+)/.exec(entry)?.[1];
    const label = /\blabel:\s*(?:"([^"]+)"|'([^']+)'|`([^`]+)`)/
      .exec(entry)
      ?.slice(1)
      .find(Boolean);
    if (id !== undefined && label !== undefined) names.set(id, label);
  }
  return names;
}

/** The messages of `i18n/<language>/docusaurus-plugin-content-docs/current.json`. */
async function readTexts(
  root: string,
  paths: readonly string[],
  own: Site["own"],
): Promise<Map<string, Record<string, string>>> {
  const texts = new Map<string, Record<string, string>>();
  for (const file of paths) {
    const lang = TEXTS.exec(own(file))?.[1];
    if (lang === undefined) continue;
    const parsed = parseJsonMap(await readConfigFile(root, file));
    const entries = Object.entries("data" in parsed ? parsed.data : {});
    const messages = entries.flatMap(([key, value]) => {
      const message = isRecord(value) ? text(value["message"]) : null;
      return message === null ? [] : [[key, message] as const];
    });
    texts.set(lang, Object.fromEntries(messages));
  }
  return texts;
}

/** An object without others in it. */
const FLAT = /\{[^{}]{0,2000}\}/g;

/** The prefix of the documents: `routeBasePath` of the options `docs`, not of another plugin. */
function routeOf(config: string): string {
  const start = /\bdocs:\s*\{/.exec(config);
  if (start === null) return "docs";
  let depth = 0;
  let own = "";
  for (const character of config.slice(start.index + start[0].length)) {
    if (character === "}" && depth === 0) break;
    depth += character === "{" ? 1 : character === "}" ? -1 : 0;
    if (depth === 0) own += character;
  }
  return /\brouteBasePath:\s*["'`]([^"'`]+)["'`]/.exec(own)?.[1] ?? "docs";
}

/** Folders of further instances of the plugin for documents, with their prefixes. */
function readInstances(config: string): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  let flat = config;
  // Objects inside have neither of the keys.
  for (let round = 0; round < 4; round += 1)
    flat = flat.replaceAll(FLAT, (object) => {
      const path = /\bpath:\s*["'`](?:\.\/)?([\w/-]+)["'`]/.exec(object)?.[1];
      const route = /\brouteBasePath:\s*["'`]\/?([^"'`]*)["'`]/.exec(object)?.[1];
      if (path !== undefined && path !== "docs" && path !== "blog" && /\bid:/.test(object))
        folders.set(path, route ?? path);
      return "";
    });
  return folders;
}

async function readCategories(
  root: string,
  paths: readonly string[],
  own: Site["own"],
): Promise<Map<string, Category>> {
  const categories = new Map<string, Category>();
  for (const file of paths) {
    const path = own(file);
    const top = DOCUMENTS.exec(path)?.[0];
    if (top !== undefined && PAGE.test(path)) addFolders(path, top, categories);
    if (!/[^/]\/_category_\.(?:json|ya?ml)$/.test(path)) continue;
    const source = await readConfigFile(root, file);
    categories.set(posix.dirname(path), parseCategory(source));
  }
  return categories;
}

/** The folder of the documents of a version. */
const DOCUMENTS = /^(?:docs|versioned_docs\/version-[^/]+)\//;

/** Adds the folders above a document, below the folder of all documents. */
function addFolders(path: string, top: string, categories: Map<string, Category>): void {
  for (let at = posix.dirname(path); at.startsWith(top); at = posix.dirname(at)) {
    if (!categories.has(at)) categories.set(at, { label: null, position: null });
  }
}

function parseCategory(source: string): Category {
  // JSON is YAML too.
  const values = readYaml(source).values;
  const { label, position } = isRecord(values) ? values : {};
  return { label: text(label), position: parsePosition(position) };
}
