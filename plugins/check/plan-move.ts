/** The changes of a move: the moves, then every page with a link that would break. */
import { posix } from "node:path";
import { PAGE_EXTENSION, pageStem, splitOrder } from "#lib/text";
import type { ContentChange, ContentService, PageEntry } from "../content/contract.js";
import type { PageMove } from "./contract.js";
import type { Link, Links } from "./link-graph.js";
import type { ReferenceStyle } from "./resolve-reference.js";

/** New paths and routes. */
export class Mapping {
  readonly #moves: readonly PageMove[];
  readonly #links: Links;
  readonly #addresses: ContentService["addresses"];

  constructor(moves: readonly PageMove[], links: Links, addresses: ContentService["addresses"]) {
    this.#moves = moves;
    this.#links = links;
    this.#addresses = addresses;
  }

  /** The new path of a file or folder; a page may be named without its extension. */
  path(path: string): string {
    for (const { path: from, to } of this.#moves) {
      if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length);
      if (path === from.replace(PAGE_EXTENSION, "")) return to.replace(PAGE_EXTENSION, "");
    }
    return path;
  }

  /** The new address of a page, from its new path. */
  url(entry: PageEntry): string {
    const move = this.#moves.find(
      ({ path: from }) => entry.sourcePath === from || entry.sourcePath.startsWith(`${from}/`),
    );
    if (move === undefined) return entry.url;
    const { route: top, slug } = this.#topOf(move, entry);
    const rest = entry.route.slice(top.length);
    const isFile = move.path === entry.sourcePath;
    const segment = slug ?? toSlug(isFile ? pageStem(move.to, entry.lang) : move.to);
    const route = posix.join(this.#routeAbove(move.to, entry.lang), segment) + rest;
    return this.#addresses.urlOf(route, entry.lang);
  }

  /**
   * The moved part of a page's route, and its new end when that is the `slug` of its page, which moves with the page;
   * null: the file or folder names it.
   */
  #topOf({ path, slug }: PageMove, entry: PageEntry): { route: string; slug: string | null } {
    const inside = [...this.#links.generation.entries].filter(
      ({ sourcePath, folder, lang }) =>
        lang === entry.lang && (sourcePath === path || folder === path),
    );
    const top = inside.toSorted((a, b) => a.route.length - b.route.length)[0] ?? entry;
    if (slug?.path === top.sourcePath) return { route: top.route, slug: slug.value };
    const hasSlug = typeof top.frontmatter["slug"] === "string";
    return { route: top.route, slug: hasSlug ? posix.basename(top.route) : null };
  }

  #routeAbove(path: string, lang: string): string {
    const folder = posix.dirname(path);
    if (folder === ".") return "/";
    const owner = this.#links.generation.entries.find(
      (entry) =>
        entry.folder === folder &&
        entry.lang === lang &&
        entry.depth === folder.split("/").length - 1,
    );
    return owner?.route ?? posix.join(this.#routeAbove(folder, lang), toSlug(folder));
  }
}

/** The changes of a move, in order. */
export async function planMove(
  content: ContentService,
  links: Links,
  moves: readonly PageMove[],
): Promise<ContentChange[]> {
  const mapping = new Mapping(moves, links, content.addresses);
  const changes = moves.flatMap(({ path, to }): ContentChange[] =>
    path === to ? [] : [{ op: "move", path, to }],
  );
  for (const [sourcePath, pageLinks] of links.from) {
    const edits = pageLinks.flatMap((link) => {
      const text = rewritten(link, mapping);
      return text === null ? [] : [{ ...link.scanned, text }];
    });
    const page = edits.length > 0 ? await content.source(sourcePath) : null;
    if (page === null || page.entry.hash !== pageLinks[0]?.from.hash) continue;
    let raw = page.raw;
    for (const { start, end, text } of edits.toReversed())
      raw = raw.slice(0, start) + text + raw.slice(end);
    changes.push({
      op: "write",
      path: mapping.path(sourcePath),
      content: raw,
      ifHash: page.entry.hash,
      asServer: true,
    });
  }
  const slugs = moves.flatMap(({ slug }): ContentChange[] =>
    slug === undefined
      ? []
      : [{ op: "frontmatter", path: mapping.path(slug.path), patch: { slug: slug.value } }],
  );
  return [...changes, ...relationChanges(content, mapping), ...slugs];
}

/** Relations of pages whose front matter can be changed. */
function relationChanges(content: ContentService, mapping: Mapping): ContentChange[] {
  const { entries } = content.generation();
  return entries.flatMap((entry): ContentChange[] => {
    const { frontmatter: values, lang, template, folder } = entry;
    const { fields } = content.blueprints.of(template) ?? { fields: [] };
    const relationValues = { fields, values, lang, folder };
    const patch = content.relations.moved(relationValues, (path) => mapping.path(path));
    if (patch === null || entry.format === "tsx") return [];
    return [{ op: "frontmatter", path: mapping.path(entry.sourcePath), patch, asServer: true }];
  });
}

type Found = Extract<Link["resolved"], { path: string }>;

/** The new text of a link to the same target; null when the old one still works. */
function rewritten({ from, scanned, resolved }: Link, mapping: Mapping): string | null {
  if (resolved.kind !== "page" && resolved.kind !== "media") return null;
  const isRoot = scanned.target.trim().startsWith("/");
  return REWRITERS[resolved.style]({ from, resolved, isRoot }, mapping);
}

const REWRITERS: Readonly<
  Record<ReferenceStyle, (link: Written, mapping: Mapping) => string | null>
> = {
  route: rewrittenRoute,
  file: rewrittenFile,
  loose: rewrittenLoose,
};

interface Written {
  from: PageEntry;
  resolved: Found;
  /** True for a text that starts with a slash. */
  isRoot: boolean;
}

function rewrittenRoute({ from, resolved, isRoot }: Written, mapping: Mapping): string | null {
  const url = newAddress(resolved, mapping);
  const isMoved = mapping.path(from.sourcePath) !== from.sourcePath;
  const stays = url === oldAddress(resolved) && (isRoot || !isMoved);
  return stays ? null : url + resolved.suffix;
}

function rewrittenFile({ from, resolved, isRoot }: Written, mapping: Mapping): string | null {
  const target = mapping.path(resolved.path);
  const folder = posix.dirname(mapping.path(from.sourcePath));
  const now = isRoot
    ? resolved.path
    : posix.join(folder, posix.relative(from.folder, resolved.path));
  if (posix.normalize(now) === target) return null;
  const path = isRoot ? `/${resolved.above ?? ""}${target}` : posix.relative(folder, target);
  return encodePath(path) + resolved.suffix;
}

/** A loose link becomes the path of the file; it stays while neither page gets another address. */
function rewrittenLoose({ from, resolved }: Written, mapping: Mapping): string | null {
  const isMoved = mapping.path(from.sourcePath) !== from.sourcePath;
  if (!isMoved && newAddress(resolved, mapping) === oldAddress(resolved)) return null;
  return rewrittenFile({ from, resolved, isRoot: false }, mapping);
}

function oldAddress(resolved: Found): string {
  return resolved.kind === "page"
    ? resolved.entry.url
    : `/content-media/${encodePath(resolved.path)}`;
}

function newAddress(resolved: Found, mapping: Mapping): string {
  if (resolved.kind === "page") return mapping.url(resolved.entry);
  return `/content-media/${encodePath(mapping.path(resolved.path))}`;
}

/** A path in a Markdown link: parentheses would end it. */
function encodePath(path: string): string {
  return path
    .split("/")
    .map((name) =>
      encodeURIComponent(name).replace(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29")),
    )
    .join("/");
}

/** The route segment of a file (by its stem) or folder. */
function toSlug(path: string): string {
  return splitOrder(posix.basename(path)).rest.normalize("NFC");
}
