import type { SiteContext } from "#kernel";
import { pathAfter, type Move } from "./reorder.js";

/** Batches of moves that are remembered. */
const MAX_BATCHES = 1_000;

/** Where pages are that have moved since the start of the process, on any node. */
export class MovedPages {
  readonly #site: SiteContext;
  readonly #batches: (readonly Move[])[] = [];

  constructor(site: SiteContext) {
    this.#site = site;
    site.changes.react("admin.moved", ({ changes }) => {
      const moves = changes.flatMap(({ kind, op, key, to }) =>
        kind === "file" && op === "move" && to !== undefined ? [{ path: key, to }] : [],
      );
      if (moves.length === 0) return;
      this.#batches.push(moves);
      if (this.#batches.length > MAX_BATCHES) this.#batches.shift();
    });
  }

  /** The source path of a page that had `path`; null while a page has this path, and for one that never moved. */
  find(path: string): string | null {
    if (this.#hasPage(path)) return null;
    const to = this.#batches.reduce(pathAfter, path);
    return to !== path && this.#hasPage(to) ? to : null;
  }

  #hasPage(path: string): boolean {
    const content = this.#site.use("content");
    return content.generation().bySource.has(path) || content.brokenPage(path) !== null;
  }
}
