/** What others may know of checking content: problems, what links to what, moves that keep links. */
import type { ApplyOptions, ContentChangeResult, ContentProblem } from "../content/contract.js";

/** A link or an image of a page that leads to another page or file of the site. */
export interface PageReference {
  /** The page that it stands in. */
  readonly from: string;
  /** As written. */
  readonly text: string;
  /** In the file, from 1. */
  readonly line: number;
}
/** A file or folder below `content/` and where it goes. */
export interface PageMove {
  readonly path: string;
  readonly to: string;
}
/** What a move did, or would do. */
export interface MoveReport {
  /** False: nothing was changed; `results` says why. */
  readonly ok: boolean;
  readonly results: readonly ContentChangeResult[];
  /** Pages whose links were rewritten, by their new path. */
  readonly rewritten: readonly string[];
  /** Old address to new address, as `redirects` of site.yaml has them now. */
  readonly redirects: Readonly<Record<string, string>>;
  /** Why `redirects` could not be written; null when they were. */
  readonly redirectError: string | null;
}
/** How a move is made. */
export interface MoveOptions extends ApplyOptions {
  /** Default true: the old address leads to the new one. */
  redirect?: boolean;
}
/** Checks of the content as a whole. */
export interface CheckService {
  /** Everything that is wrong, by path. Reads what has changed since the last call. */
  problems(): Promise<readonly ContentProblem[]>;
  /** What links to a page: `sourcePath` below `content/`. */
  references(sourcePath: string): Promise<readonly PageReference[]>;
  /**
   * Moves pages or folders as one change: rewrites what links to them and what they link to, keeps
   * redirects without chains or loops. Nothing is written when one of the changes is refused.
   */
  move(moves: readonly PageMove[], options?: MoveOptions): Promise<MoveReport>;
  /**
   * The files that have to move for a page to get another route, its translations too. Throws
   * ERR_CHECK_ROUTE for a route without page, one that is taken, or the home page.
   */
  movesFor(route: string, newRoute: string): readonly PageMove[];
}

declare module "#kernel" {
  interface Services {
    check: CheckService;
  }
}
