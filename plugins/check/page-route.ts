/** Maps routes to files, existing or new. */
import { posix } from "node:path";
import { SiteError } from "#kernel";
import { orderPrefix, pageStem, splitOrder } from "#lib/text";
import type { Generation, PageEntry } from "../content/contract.js";
import type { PageMove } from "./contract.js";

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
  if (generation.at(to, lang) !== undefined)
    throw routeError(`there is a page at ${JSON.stringify(to)} already`, 409);
  if (`${to}/`.startsWith(`${from}/`)) throw routeError("a page cannot be moved below itself", 400);
  if (typeof entry.frontmatter["slug"] === "string") {
    throw routeError(`the route of ${entry.sourcePath} comes from its slug; change that`, 409);
  }
  const folder = folderFor(generation, posix.dirname(to), lang);
  const named = (name: string): string =>
    posix.join(folder, orderPrefix(name) + posix.basename(to));
  if (isFolderPage(entry)) return [{ path: entry.folder, to: named(posix.basename(entry.folder)) }];
  const stem = pageStem(entry.sourcePath, lang);
  return generation.entries
    .filter((other) => pageStem(other.sourcePath, other.lang) === stem)
    .map(({ sourcePath }) => {
      const name = posix.basename(sourcePath);
      return { path: sourcePath, to: named(name) + name.slice(posix.basename(stem).length) };
    });
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
