import { splitOrder } from "#lib/text";
import type { PageRow } from "../../api/content/pages.js";

/** The path that moves with a page: its folder, or its file when that has the number. */
export function carrierOf(sourcePath: string): string {
  const at = sourcePath.lastIndexOf("/");
  if (at < 0 || isNumbered(sourcePath.slice(at + 1))) return sourcePath;
  return sourcePath.slice(0, at);
}

/** The folder that holds the pages below a page; null when it is a single file. */
export function folderBelow(page: PageRow | null): string | null {
  if (page === null) return "";
  const carrier = carrierOf(page.sourcePath);
  return carrier === page.sourcePath ? null : carrier;
}

/** The home page and files without a folder stay where they are. */
export function canMove({ route, sourcePath }: PageRow): boolean {
  return route !== "/" && (sourcePath.includes("/") || hasNumber(sourcePath));
}

/** True for pages with a place of their own among their siblings. */
export function hasNumber(sourcePath: string): boolean {
  return isNumbered(nameOf(carrierOf(sourcePath)));
}

/** The path of a page's carrier in another folder: numbered pages come last there. */
export function pathIn(folder: string, page: PageRow, siblings: readonly PageRow[]): string {
  const name = nameOf(carrierOf(page.sourcePath));
  const { order, rest } = splitOrder(name);
  const numbers = siblings.map(
    ({ sourcePath }) => splitOrder(nameOf(carrierOf(sourcePath))).order ?? 0,
  );
  const next = String(Math.max(0, ...numbers) + 1).padStart(2, "0");
  const own = order === null ? name : `${next}.${rest}`;
  return folder === "" ? own : `${folder}/${own}`;
}

/** A source path after a file or folder above it was moved. */
export function pathAfter(
  sourcePath: string,
  moves: readonly { path: string; to: string }[],
): string {
  const move = moves.find(({ path }) => sourcePath === path || sourcePath.startsWith(`${path}/`));
  return move === undefined ? sourcePath : move.to + sourcePath.slice(move.path.length);
}

function isNumbered(name: string): boolean {
  return splitOrder(name).order !== null;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
