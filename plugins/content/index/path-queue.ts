import type { WriteQueueParts } from "../write/write-queue.js";
import type { Rescan } from "./store-options.js";

/** Paths of one turn, at least; a save waits for one turn and not for a whole checkout. */
const MIN_PATHS = 500;
/** Turns that many paths are split into, at most: each one builds a generation of all pages. */
const MAX_TURNS = 8;

/** Paths that have changed outside; what arrives while they wait joins them. */
export class PathQueue {
  readonly #parts: Pick<WriteQueueParts, "inTurn" | "lookAt">;
  readonly #paths = new Set<string>();
  #next: Promise<void> | null = null;

  constructor(parts: Pick<WriteQueueParts, "inTurn" | "lookAt">) {
    this.#parts = parts;
  }

  /** Resolves when the tree reflects the current state of the paths. */
  add(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.#paths.add(path);
    this.#next ??= this.#run();
    return this.#next;
  }

  /** Compares the tree with the disk; reads the touched paths first, in parts, unless they are the whole tree. */
  async compare(
    { touched = [], ...rest }: Rescan,
    compare: (rest: Rescan) => Promise<boolean>,
  ): Promise<boolean> {
    const isSplit = touched.length > 0 && !touched.includes("");
    if (isSplit) await this.add(touched);
    let differs = false;
    await this.#parts.inTurn(async () => {
      differs = await compare(isSplit ? rest : { ...rest, touched });
    });
    return differs;
  }

  /** Other work of the tree takes its turn between two parts. */
  async #run(): Promise<void> {
    const { inTurn, lookAt } = this.#parts;
    let parts: string[][] = [];
    await inTurn(async () => {
      // Sorted: a folder is looked at before what it contains.
      parts = partsOf([...this.#paths].toSorted());
      this.#paths.clear();
      this.#next = null;
      await lookAt(parts.shift() ?? []);
    });
    for (const part of parts) await inTurn(() => lookAt(part));
  }
}

function partsOf(paths: string[]): string[][] {
  const size = Math.max(MIN_PATHS, Math.ceil(paths.length / MAX_TURNS));
  const count = Math.ceil(paths.length / size);
  return Array.from({ length: count }, (_, at) => paths.slice(at * size, (at + 1) * size));
}
