/** What other plugins do with the content folder: prepare it, change its files, guard its paths. */
import type { EngineSlot, Engines, SiteContext } from "#kernel";
import type { WriteWork } from "./write-queue.js";

/** The slots for it, and the way in for changes that the write path did not make. */
export class OutsideWork {
  readonly #guards: EngineSlot<Engines["writeGuards"]>;
  readonly #preparations: EngineSlot<Engines["prepareContent"]>;

  constructor(site: SiteContext) {
    this.#guards = site.engines.open("writeGuards");
    this.#preparations = site.engines.open("prepareContent");
  }

  /** Runs before the first reading. */
  async prepare(): Promise<void> {
    for (const prepare of this.#preparations.all) await prepare();
  }

  /** Why a path may not be written; null: it may. */
  guard(path: string): string | null {
    for (const guard of this.#guards.all) {
      const reason = guard(path);
      if (reason !== null) return reason;
    }
    return null;
  }

  /** Queues work that changes files and returns their paths. @throws the error of `work`. */
  async update(
    write: (work: WriteWork) => Promise<void>,
    work: () => Promise<readonly string[]>,
  ): Promise<void> {
    const errors: unknown[] = [];
    await write(async () => {
      try {
        const touched = await work();
        if (touched.length === 0) return null;
        const nothing = { folders: [], changes: [], actor: null, message: "" };
        return { ...nothing, touched, isFound: true, release: () => undefined };
      } catch (error) {
        errors.push(error);
        return null;
      }
    });
    const [error] = errors;
    if (errors.length > 0) throw error instanceof Error ? error : new Error(String(error));
  }
}
