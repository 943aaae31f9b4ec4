import type { SiteContext } from "#kernel";
import { pathAfter, type Move } from "./reorder.js";

/** Batches of moves, and paths of new pages, that are remembered. */
const MAX_BATCHES = 1_000;
const MAX_NEW = 10_000;

interface Batch {
  /** Place among all batches of changes. */
  readonly nth: number;
  readonly moves: readonly Move[];
}

/** Where pages are that have moved since the start of the process, on any node. */
export class MovedPages {
  readonly #site: SiteContext;
  readonly #batches: Batch[] = [];
  /** By path, the batch in which a page was last created there: moves before it are those of another page. */
  readonly #created = new Map<string, number>();
  #count = 0;

  constructor(site: SiteContext) {
    this.#site = site;
    site.changes.react("admin.moved", ({ changes, isTransient }) => {
      if (isTransient) return;
      const nth = ++this.#count;
      const moves = changes.flatMap(({ kind, op, key, to }) =>
        kind === "file" && op === "move" && to !== undefined ? [{ path: key, to }] : [],
      );
      if (moves.length > 0) this.#batches.push({ nth, moves });
      if (this.#batches.length > MAX_BATCHES) this.#batches.shift();
      for (const { kind, op, key } of changes) {
        if (kind !== "page" || op !== "create") continue;
        this.#created.delete(key);
        this.#created.set(key, nth);
        const [oldest] = this.#created.keys();
        if (this.#created.size > MAX_NEW && oldest !== undefined) this.#created.delete(oldest);
      }
    });
  }

  /** The source path of a page that had `path`; null while a page has this path, and for one that never moved. */
  find(path: string): string | null {
    if (this.#hasPage(path)) return null;
    const since = this.#created.get(path) ?? 0;
    const later = this.#batches.filter(({ nth }) => nth > since);
    const to = later.reduce((at, { moves }) => pathAfter(at, moves), path);
    return to !== path && this.#hasPage(to) ? to : null;
  }

  #hasPage(path: string): boolean {
    const content = this.#site.use("content");
    return content.generation().bySource.has(path) || content.brokenPage(path) !== null;
  }
}
