import { splitOrder } from "#lib/text";
import type { PageEntry } from "../../content/contract.js";
import { carrierOf } from "./page-source.js";

/** A file or folder below the content folder and its new path. */
export interface Move {
  path: string;
  to: string;
}
/** A new position among siblings. */
interface Reordering {
  /** The page that moves. */
  path: string;
  /** A sibling. */
  target: string;
  /** On which side of the sibling. */
  position: "before" | "after";
}
/** A sibling on disk: a page's folder, or a flat file with its translations. */
interface Sibling {
  /** Without the number prefix. */
  slug: string;
  number: number;
  /** Numbered paths below the content folder. */
  paths: string[];
}

/**
 * The moves that put a page before or after a sibling. Renumbers ordered siblings from 1 and moves
 * only pages whose number changes. Null when one of them is not an ordered sibling.
 */
export function reorderMoves(
  entries: readonly PageEntry[],
  { path, target, position }: Reordering,
): Move[] | null {
  const moved = findPosition(entries, path);
  const other = findPosition(entries, target);
  if (moved === null || other === null || moved.parent !== other.parent) return null;
  const siblings = listSiblings(entries, moved.parent);
  const one = siblings.find(({ slug }) => slug === moved.slug);
  const rest = siblings.filter((sibling) => sibling !== one);
  const at = rest.findIndex(({ slug }) => slug === other.slug);
  if (one === undefined || at < 0) return null;
  const order = rest.toSpliced(position === "before" ? at : at + 1, 0, one);
  const width = Math.max(2, String(order.length).length);
  return order.flatMap((sibling, index) =>
    renamed(sibling, moved.parent, String(index + 1).padStart(width, "0")),
  );
}

/** The path of a page after moves of its parents. */
export function pathAfter(path: string, moves: readonly Move[]): string {
  for (const move of moves) {
    if (path === move.path) return move.to;
    if (path.startsWith(`${move.path}/`)) return move.to + path.slice(move.path.length);
  }
  return path;
}

function findPosition(
  entries: readonly PageEntry[],
  sourcePath: string,
): { parent: string; slug: string } | null {
  const entry = entries.find((one) => one.sourcePath === sourcePath);
  if (entry === undefined) return null;
  const carrier = carrierOf(entry);
  const at = carrier.lastIndexOf("/");
  const slug = readSlug(carrier.slice(at + 1));
  return slug === null ? null : { parent: carrier.slice(0, Math.max(0, at)), slug };
}

function listSiblings(entries: readonly PageEntry[], parent: string): Sibling[] {
  const bySlug = new Map<string, Sibling>();
  for (const carrier of new Set(entries.flatMap((entry) => levels(carrierOf(entry))))) {
    const at = carrier.lastIndexOf("/");
    if (carrier.slice(0, Math.max(0, at)) !== parent) continue;
    const { order, rest } = splitOrder(carrier.slice(at + 1));
    if (order === null) continue;
    const slug = rest.split(".")[0] ?? rest;
    const sibling = bySlug.get(slug) ?? { slug, number: order, paths: [] };
    sibling.paths.push(carrier);
    bySlug.set(slug, sibling);
  }
  return [...bySlug.values()].toSorted(
    (a, b) => a.number - b.number || a.slug.localeCompare(b.slug),
  );
}

/** A path and its parent folders. */
function levels(path: string): string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function renamed({ paths }: Sibling, parent: string, number: string): Move[] {
  return paths.flatMap((path) => {
    const name = `${number}.${splitOrder(path.slice(parent === "" ? 0 : parent.length + 1)).rest}`;
    const to = parent === "" ? name : `${parent}/${name}`;
    return to === path ? [] : [{ path, to }];
  });
}

function readSlug(name: string): string | null {
  const { order, rest } = splitOrder(name);
  return order === null ? null : (rest.split(".")[0] ?? rest);
}
