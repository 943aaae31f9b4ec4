/** Folders as nodes: which file is a folder's page, which is flat, and the route of each. */
import { joinRoute, toUrl } from "../view/address.js";
import { Fields } from "../read/front-matter/fields.js";
import type { TreePosition } from "./page-entry.js";
import { templateOfStem, settleFolder } from "./folder-page.js";
import { findHome } from "./home-page.js";
import {
  folderOf,
  joinPath,
  nameOf,
  parseFileName,
  parseFolderName,
  type FileName,
} from "../read/source-name.js";
import type { SourceRecord } from "../read/source-record.js";
import {
  isWithheld,
  type Candidate,
  type FolderNode,
  type HomeFile,
  type PositionRules,
} from "./tree-nodes.js";

/** The tree of folders and the places of its pages. */
export class ContentTree {
  readonly root: FolderNode = {
    path: "",
    name: { order: null, slug: "", isModule: false, isHidden: false, isDrafts: false },
    parent: null,
    folders: [],
    candidates: [],
    isHidden: false,
    inDrafts: false,
  };
  readonly #nodes = new Map<string, FolderNode>([["", this.root]]);
  readonly #names = new Map<string, FileName | null>();
  readonly #routes = new Map<FolderNode, Map<string, string>>();
  readonly #rules: PositionRules;
  #home: HomeFile | null = null;

  constructor(rules: PositionRules) {
    this.#rules = rules;
  }

  /** Puts a file into its folder. */
  add(record: SourceRecord): void {
    const name = this.#fileName(nameOf(record.sourcePath));
    if (name === null) return;
    this.#node(folderOf(record.sourcePath)).candidates.push({
      record,
      name,
      isFolderPage: false,
      issue: null,
    });
  }

  /** Decides the folders' pages and the home page, once every file is in. */
  settle(home = (): HomeFile | null => findHome(this, this.#rules)): void {
    for (const node of this.#nodes.values()) settleFolder(node, this.#rules);
    this.#home = home();
  }

  nodes(): Iterable<FolderNode> {
    return this.#nodes.values();
  }

  isHome(node: FolderNode, candidate: Candidate): boolean {
    const home = this.#home;
    if (home === null || home.node !== node) return false;
    if (home.flat === null) return candidate.isFolderPage;
    return !candidate.isFolderPage && candidate.name.stem === home.flat.name.stem;
  }

  /** The place of a file in the tree. */
  place(node: FolderNode, candidate: Candidate): TreePosition {
    const { name, isFolderPage } = candidate;
    const isHome = this.isHome(node, candidate);
    const route = isHome ? "/" : this.buildRoute(node, candidate);
    const above = isFolderPage ? (node.parent ?? node) : node;
    const isModule = isFolderPage && node.name.isModule;
    return {
      folder: node.path,
      route,
      url: toUrl(route, name.lang, this.#rules),
      lang: name.lang,
      format: name.format,
      template: candidate.isFolderPage ? templateOfStem(candidate.name.stem) : "default",
      order: isFolderPage ? node.name.order : name.order,
      depth: isHome ? 0 : countLevels(above),
      parent: isHome ? null : this.#parentRoute(above, name.lang),
      isModule,
      routable: !(isModule || node.isHidden || node.inDrafts || isWithheld(candidate)),
      inDrafts: node.inDrafts,
      isFolderPage,
    };
  }

  /** The route of a folder in a language: its pages' `slug`, else its name. */
  routeOfFolder(node: FolderNode, lang: string): string {
    if (node.parent === null) return "/";
    let routes = this.#routes.get(node);
    if (routes === undefined) this.#routes.set(node, (routes = new Map()));
    const cached = routes.get(lang);
    if (cached !== undefined) return cached;
    const route = joinRoute(this.routeOfFolder(node.parent, lang), this.#segment(node, lang));
    routes.set(lang, route);
    return route;
  }

  /** Cached, because thousands of pages share names such as `default.md`. */
  #fileName(name: string): FileName | null {
    const cached = this.#names.get(name);
    if (cached !== undefined) return cached;
    const parsed = parseFileName(name, this.#rules);
    this.#names.set(name, parsed);
    return parsed;
  }

  #node(path: string): FolderNode {
    const existing = this.#nodes.get(path);
    if (existing !== undefined) return existing;
    const parent = this.#node(folderOf(path));
    const name = parseFolderName(nameOf(path));
    const node: FolderNode = {
      path: joinPath(parent.path, nameOf(path)),
      name,
      parent,
      folders: [],
      candidates: [],
      isHidden: parent.isHidden || name.isModule || name.isHidden,
      inDrafts: parent.inDrafts || name.isDrafts,
    };
    parent.folders.push(node);
    this.#nodes.set(path, node);
    return node;
  }

  /** The route of a page that is not home. */
  buildRoute(node: FolderNode, candidate: Candidate): string {
    const lang = candidate.name.lang;
    if (candidate.isFolderPage) return this.routeOfFolder(node, lang);
    return joinRoute(
      this.routeOfFolder(node, lang),
      explicitSlug(candidate) ?? candidate.name.stem,
    );
  }

  /** The route of a folder's page: `/` for the home page. Null for the root. */
  #parentRoute(node: FolderNode, lang: string): string | null {
    if (node.parent === null) return null;
    const isHome = this.#home?.node === node && this.#home.flat === null;
    return isHome ? "/" : this.routeOfFolder(node, lang);
  }

  #segment(node: FolderNode, lang: string): string {
    const pages = node.candidates.filter(({ isFolderPage }) => isFolderPage);
    const page = pages.find(({ name }) => name.lang === lang);
    const fallback = pages.find(({ name }) => name.lang === this.#rules.defaultLanguage);
    return explicitSlug(page) ?? explicitSlug(fallback) ?? node.name.slug;
  }
}

function explicitSlug(candidate: Candidate | undefined): string | null {
  const matter = candidate?.record.frontmatter;
  return matter?.slug === undefined ? null : new Fields(matter).slug();
}

function countLevels(node: FolderNode): number {
  return node.parent === null ? 0 : countLevels(node.parent) + 1;
}
