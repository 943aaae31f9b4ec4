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

  /**
   * Runs work that changes files while nothing else is written; resolves with the paths that it changed, which the
   * caller reads again. @throws the error of `work`.
   */
  async update(
    write: (work: WriteWork) => Promise<void>,
    work: () => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    const outcome: { touched: readonly string[]; errors: unknown[] } = { touched: [], errors: [] };
    await write(async () => {
      try {
        outcome.touched = await work();
      } catch (error) {
        outcome.errors.push(error);
      }
      return null;
    });
    const { touched, errors } = outcome;
    const [error] = errors;
    if (errors.length > 0) throw error instanceof Error ? error : new Error(String(error));
    return touched;
  }
}
