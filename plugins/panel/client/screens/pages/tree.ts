import { useCallback, useEffect, useState } from "preact/hooks";
import { splitOrder } from "#lib/text";
import { attempt } from "../../app/toasts.js";
import { call, type Answer } from "../../api/request.js";
import type { Side } from "../../parts/drag.js";
import type { PageRow } from "../../api/answers.js";

type PathMove = Answer<"POST /pages/reorder">["moves"][number];

const MAX_LEVEL = 500;

type Levels = ReadonlyMap<string, readonly PageRow[]>;

/** The loaded levels of the tree, and which are open. */
export interface Tree {
  /** Pages by the route above them; `/` is the top level. */
  levels: Levels;
  /** Routes. */
  open: ReadonlySet<string>;
  error: unknown;
  toggle(route: string): void;
  /** Loads all open levels again. */
  reload(): void;
  /** Opens a level, and loads all open ones again. */
  show(route: string): void;
}

/** Loads a level of the tree when it is opened; those at `routes` are open at first. */
export function useTree(routes: readonly string[] = []): Tree {
  const [levels, setLevels] = useState<Levels>(new Map());
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(routes));
  const [error, setError] = useState<unknown>(null);
  const load = useCallback(async (wanted: readonly string[]): Promise<void> => {
    const loaded = await Promise.all(
      wanted.map(async (route) => [route, await loadLevel(route)] as const),
    );
    setLevels((before) => new Map([...before, ...loaded]));
    setError(null);
  }, []);
  const reload = (): void => {
    load(["/", ...open]).catch(setError);
  };
  useEffect(reload, []);
  const show = (route: string): void => {
    const next = new Set([...open, route]);
    load(["/", ...next]).then(() => setOpen(next), setError);
  };
  const toggle = (route: string): void => {
    const next = new Set(open);
    if (next.delete(route)) setOpen(next);
    else {
      void attempt(() => load([route])).then((isLoaded) => {
        if (isLoaded) setOpen((before) => new Set([...before, route]));
      });
    }
  };
  return { levels, open, error, toggle, reload, show };
}

/** The pages directly below a route; one of each page's languages. */
export async function loadLevel(route: string): Promise<readonly PageRow[]> {
  const { items } = await call("GET /pages", {
    query: { parent: route, limit: MAX_LEVEL, broken: "true", languages: "together" },
  });
  const seen = new Set<string>();
  return items.filter(({ isModule, carrier }) => {
    if (isModule || seen.has(carrier)) return false;
    seen.add(carrier);
    return true;
  });
}

/** A place among the loaded pages. */
export interface TreePlace {
  /** The page above; null: the top level. */
  readonly parent: PageRow | null;
  /** Route of the level. */
  readonly route: string;
  readonly siblings: readonly PageRow[];
  /** The page that follows; null: none. */
  readonly before: PageRow | null;
}
type Shown = Pick<Tree, "levels" | "open">;

/** The sides of a row at which a page may be put. */
export function allowedSides(shown: Shown, path: string, target: string): readonly Side[] {
  const at = findPage(shown, target);
  const moved = findPage(shown, path)?.page;
  if (at === null || moved === undefined || at.page.route === "" || path === target) return [];
  if (isInside(at.page, moved)) return [];
  // The home page stays first.
  return at.page.route === "/" ? ["after"] : ["before", "after", "inside"];
}

/** The place at a side of a row; below an open row: before the first page of its level. */
export function findPlace(shown: Shown, target: string, side: Side): TreePlace | null {
  const at = findPage(shown, target);
  if (at === null) return null;
  const { page, siblings, route } = at;
  const [first] = shown.open.has(page.route) ? listLevel(shown, page.route) : [];
  if (side === "inside") return toPlace(shown, page, null);
  if (side === "after" && first !== undefined) return toPlace(shown, page, first);
  const next = siblings[siblings.indexOf(page) + 1] ?? null;
  const before = side === "before" ? page : next;
  return { parent: findAbove(shown, route), route, siblings, before };
}

function toPlace(shown: Shown, parent: PageRow, before: PageRow | null): TreePlace {
  const { route } = parent;
  return { parent, route, siblings: listLevel(shown, route), before };
}

/** The pages that have a place among their siblings: one that was never read has no address and no order. */
export function orderable(pages: readonly PageRow[]): readonly PageRow[] {
  return pages.filter(({ route }) => route !== "");
}

function listLevel({ levels }: Shown, route: string): readonly PageRow[] {
  return orderable(levels.get(route) ?? []);
}

/** A page of the tree with the pages of its level that have a place; null when it is not loaded. */
export function findPage(
  { levels }: Pick<Tree, "levels">,
  path: string,
): { page: PageRow; siblings: readonly PageRow[]; route: string } | null {
  for (const [route, pages] of levels) {
    const page = pages.find(({ sourcePath }) => sourcePath === path);
    if (page !== undefined) return { page, siblings: orderable(pages), route };
  }
  return null;
}

/** The page of a level; null for the top one. */
function findAbove({ levels }: Shown, route: string): PageRow | null {
  if (route === "/") return null;
  return [...levels.values()].flat().find((page) => page.route === route) ?? null;
}

/** True for a page in the folder of another one. */
export function isInside(page: PageRow, { carrier }: PageRow): boolean {
  return page.sourcePath.startsWith(`${carrier}/`);
}

/** True for pages with a place of their own among their siblings. */
export function hasNumber({ carrier }: PageRow): boolean {
  return isNumbered(carrier);
}

/** A source path after a file or folder above it was moved. */
export function pathAfter(sourcePath: string, moves: readonly PathMove[]): string {
  const move = moves.find(({ path }) => sourcePath === path || sourcePath.startsWith(`${path}/`));
  return move === undefined ? sourcePath : move.to + sourcePath.slice(move.path.length);
}

/** True for a path whose last name begins with a number. */
export function isNumbered(path: string): boolean {
  return splitOrder(path.slice(path.lastIndexOf("/") + 1)).order !== null;
}
