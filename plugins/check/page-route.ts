/** Maps routes to files, existing or new. */
import { posix } from "node:path";
import { SiteError } from "#kernel";
import { orderPrefix, pageStem, splitOrder } from "#lib/text";
import type { Generation, PageEntry } from "../content/contract.js";
import type { PageMove, PageTarget } from "./contract.js";

/** An invalid or unavailable route. */
export function routeError(message: string, status: number): SiteError {
  return new SiteError("ERR_CHECK_ROUTE", message, { status, fix: "choose another route" });
}

/** A route in the form of the index. @throws ERR_CHECK_ROUTE for an invalid one. */
export function parseRoute(text: string): string {
  const route = `/${text.normalize("NFC").replace(/^\/+|\/+$/g, "")}`;
  const isPlain = route
    .split("/")
    .slice(1)
    .every((part) => part !== "" && !/^[._]|[\\:*?"<>|\p{Cc}]/u.test(part));
  if (route === "/" || !isPlain || route.length > 500) {
    throw routeError(
      `${JSON.stringify(text.slice(0, 200))} is not a route such as /blog/hello`,
      400,
    );
  }
  return route;
}

/** True when the page is a whole folder, which moves with it. */
export function isFolderPage({ folder, depth, route }: PageEntry): boolean {
  if (folder === "") return false;
  return route === "/" || depth === folder.split("/").length - 1;
}

/** The folder for pages below a route: an existing one, else one named like the route. */
export function folderFor(generation: Generation, route: string, lang: string): string {
  if (route === "/") return "";
  const page = generation.at(route, lang);
  if (page !== undefined) return isFolderPage(page) ? page.folder : pageStem(page.sourcePath, lang);
  return posix.join(folderFor(generation, posix.dirname(route), lang), posix.basename(route));
}

/** The files or folder to move for a page to get another route. */
export function movesFor(
  generation: Generation,
  route: string,
  newRoute: string,
  lang: string,
): PageMove[] {
  const [from, to] = [parseRoute(route), parseRoute(newRoute)];
  const entry = generation.at(from, lang);
  if (entry === undefined) throw routeError(`there is no page at ${JSON.stringify(from)}`, 404);
  assertFree(generation, entry, to);
  const folder = folderFor(generation, posix.dirname(to), entry.lang);
  const segment = posix.basename(to);
  return withSlug(entry, segment, (named) =>
    namedMoves(generation, entry, (name) =>
      posix.join(folder, named === null ? name : orderPrefix(name) + named),
    ),
  );
}

/**
 * The files or folder to move for a page to stand below another one, last among its siblings, or to have another
 * segment at the end of its address; none when that is where it is.
 */
export function movesTo(
  generation: Generation,
  entry: PageEntry,
  { parent, segment }: PageTarget,
): PageMove[] {
  if (entry.isModule || entry.route === "/") {
    const what = entry.isModule ? "a module moves with its page" : "the home page stays at the top";
    throw routeError(what, 400);
  }
  const above = posix.dirname(entry.route);
  const to = parseRoute(posix.join(parent ?? above, segment ?? posix.basename(entry.route)));
  if (segment !== undefined && segment.includes("/"))
    throw routeError(`${JSON.stringify(segment)} is not one part of an address`, 400);
  if (to === entry.route) return [];
  assertFree(generation, entry, to);
  if (parent !== undefined && parent !== "/") assertPage(generation, parent, entry.lang);
  const isBelowOther = posix.dirname(to) !== above;
  const folder = isBelowOther ? folderFor(generation, posix.dirname(to), entry.lang) : null;
  return withSlug(entry, segment ?? null, (named) =>
    namedMoves(generation, entry, (name, current) => {
      const prefix = orderPrefix(name);
      const isNumbered = prefix !== "" && !DAY.test(prefix);
      const number = isBelowOther && isNumbered ? nextNumber(generation, folder ?? "") : prefix;
      const rest = named ?? splitOrder(name).rest;
      return posix.join(folder ?? current, (number === "" && isNumbered ? "01." : number) + rest);
    }),
  );
}

/**
 * The moves for another end of the address, null: the same one. A page with a `slug` gets it there: `toMoves` receives
 * null, and its file keeps its name.
 */
function withSlug(
  { sourcePath, route, frontmatter }: PageEntry,
  segment: string | null,
  toMoves: (name: string | null) => PageMove[],
): PageMove[] {
  if (typeof frontmatter["slug"] !== "string") return toMoves(segment);
  const isNew = segment !== null && segment !== posix.basename(route);
  return toMoves(null).flatMap((move) => {
    const isOfPage = sourcePath === move.path || sourcePath.startsWith(`${move.path}/`);
    if (isNew && isOfPage) return [{ ...move, slug: { path: sourcePath, value: segment } }];
    return move.path === move.to ? [] : [move];
  });
}

/** The day of a page as its number: it stays when the page moves. */
const DAY = /^\d{8}\D/;

/** The moves of a page: its folder, or its files in all languages. `toPath` gets the name without language, and its folder. */
function namedMoves(
  generation: Generation,
  entry: PageEntry,
  toPath: (name: string, folder: string) => string,
): PageMove[] {
  if (isFolderPage(entry)) {
    const { folder } = entry;
    return [{ path: folder, to: toPath(posix.basename(folder), parentOf(folder)) }];
  }
  const stem = pageStem(entry.sourcePath, entry.lang);
  const name = posix.basename(stem);
  return generation.entries
    .filter((other) => pageStem(other.sourcePath, other.lang) === stem)
    .map(({ sourcePath }) => ({
      path: sourcePath,
      to: toPath(name, parentOf(stem)) + posix.basename(sourcePath).slice(name.length),
    }));
}

function parentOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}

function assertFree(generation: Generation, { route, lang }: PageEntry, to: string): void {
  if (generation.at(to, lang) !== undefined)
    throw routeError(`there is a page at ${JSON.stringify(to)} already`, 409);
  if (`${to}/`.startsWith(`${route}/`))
    throw routeError("a page cannot be moved below itself", 400);
}

function assertPage(generation: Generation, route: string, lang: string): void {
  const { entries } = generation;
  if (generation.at(route, lang) ?? entries.find((entry) => entry.route === route)) return;
  throw routeError(`there is no page at ${JSON.stringify(route)}`, 404);
}

/** The number that puts a new folder last among its numbered neighbours; empty when none is numbered. */
export function nextNumber(generation: Generation, folder: string): string {
  const depth = folder === "" ? 0 : folder.split("/").length;
  const numbers = generation.entries.flatMap(({ sourcePath }) => {
    if (folder !== "" && !sourcePath.startsWith(`${folder}/`)) return [];
    const { order } = splitOrder(sourcePath.split("/")[depth] ?? "");
    return order === null ? [] : [order];
  });
  return numbers.length === 0 ? "" : `${String(Math.max(...numbers) + 1).padStart(2, "0")}.`;
}
