/** Chooses the home page: configured, the root's own, `home`, the first ordered one, a README, a SUMMARY. */
import { nearest } from "#lib/values";
import type { ContentProblem } from "../contract.js";
import type { FileName } from "../read/source-name.js";
import {
  type Candidate,
  type FolderNode,
  type HomeFile,
  type PositionRules,
  hasFolderPage,
  isWithheld,
} from "./tree-nodes.js";

/** The parts of the tree that are needed to find the home page. */
export interface HomeTree {
  readonly root: FolderNode;
  nodes(): Iterable<FolderNode>;
  buildRoute(node: FolderNode, candidate: Candidate): string;
  routeOfFolder(node: FolderNode, lang: string): string;
}

/** The home page of a tree whose folders are settled; null when nothing qualifies. */
export function findHome(tree: HomeTree, rules: PositionRules): HomeFile | null {
  const root = tree.root;
  const top = root.folders.filter(
    (node) => hasFolderPage(node) && !node.isHidden && !node.inDrafts,
  );
  const flat = root.candidates.filter((file) => !file.isFolderPage && !isWithheld(file));
  const flatHome = (isHome: (name: FileName) => boolean): HomeFile | null => {
    const homeFile = flat.find(({ name }) => isHome(name));
    return homeFile === undefined ? null : { node: root, flat: homeFile };
  };
  return (
    configuredHome(tree, rules) ??
    (hasFolderPage(root) ? { node: root, flat: null } : null) ??
    asHome(top.find((node) => node.name.slug === "home")) ??
    flatHome(({ stem }) => stem === "home") ??
    firstOrdered(root, top, flat) ??
    flatHome(({ stem }) => stem.toLowerCase() === "readme") ??
    // The contents of a book of mdBook or GitBook, which begins at its first chapter.
    flatHome(({ stem }) => stem === "SUMMARY")
  );
}

/** The problem when no page has the configured route; null when one has, and without configuration. */
export function missingHome(tree: HomeTree, rules: PositionRules): ContentProblem | null {
  if (rules.home === null || configuredHome(tree, rules) !== null) return null;
  const route = routeOfHome(rules.home);
  const near = nearest(route, listRoutes(tree));
  const fix =
    near === null
      ? "name the route of a page, or remove the line"
      : `did you mean ${JSON.stringify(near)}?`;
  return {
    sourcePath: "site.yaml",
    isInRoot: true,
    severity: "warning",
    code: "ERR_CONTENT_HOME",
    message: `home: there is no page at ${JSON.stringify(route)}, and the home page is found as without it; ${fix}`,
    key: "home",
  };
}

/** The routes that pages have when none is home, without those that are not shown. */
function listRoutes(tree: HomeTree): string[] {
  const shown = [...tree.nodes()].filter(({ isHidden, inDrafts }) => !isHidden && !inDrafts);
  const routes = shown.flatMap((node) =>
    node.candidates
      .filter((candidate) => !isWithheld(candidate))
      .map((candidate) => tree.buildRoute(node, candidate)),
  );
  return routes.filter((route) => route !== "/");
}

/** `home` as a route: `start`, `/start/`. */
function routeOfHome(home: string): string {
  return `/${home.normalize("NFC").replace(/^\/+|\/+$/g, "")}`;
}

function configuredHome(tree: HomeTree, { home, defaultLanguage }: PositionRules): HomeFile | null {
  if (home === null) return null;
  const route = routeOfHome(home);
  for (const node of tree.nodes()) {
    const isOfFolder = hasFolderPage(node) && tree.routeOfFolder(node, defaultLanguage) === route;
    if (isOfFolder) return { node, flat: null };
    const flat = node.candidates.find(
      (candidate) =>
        !candidate.isFolderPage &&
        !isWithheld(candidate) &&
        tree.buildRoute(node, candidate) === route,
    );
    if (flat !== undefined) return { node, flat };
  }
  return null;
}

function firstOrdered(
  root: FolderNode,
  top: readonly FolderNode[],
  flat: readonly Candidate[],
): HomeFile | null {
  const folders = top.map((node) => ({
    order: node.name.order,
    path: node.path,
    home: { node, flat: null },
  }));
  const files = flat.map((file) => ({
    order: file.name.order,
    path: file.record.sourcePath,
    home: { node: root, flat: file },
  }));
  const ordered = [...folders, ...files]
    .filter(({ order }) => order !== null)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || (a.path < b.path ? -1 : 1));
  return ordered[0]?.home ?? null;
}

function asHome(node: FolderNode | undefined): HomeFile | null {
  return node === undefined ? null : { node, flat: null };
}
