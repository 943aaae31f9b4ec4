import { useCallback, useEffect, useState } from "preact/hooks";
import type { PageRow } from "../../api/content/pages.js";
import { attempt } from "../../app/toasts.js";
import { loadLevel } from "./tree-moves.js";

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

/** Loads a level of the tree when it is opened. */
export function useTree(): Tree {
  const [levels, setLevels] = useState<Levels>(new Map());
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<unknown>(null);
  const load = useCallback(async (routes: readonly string[]): Promise<void> => {
    const loaded = await Promise.all(
      routes.map(async (route) => [route, await loadLevel(route)] as const),
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
