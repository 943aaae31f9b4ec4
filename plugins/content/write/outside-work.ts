/** What other plugins do with the content folder: prepare it, change its files, guard its paths. */
import type { EngineSlot, Engines, SiteContext } from "#kernel";
import type { ContentStore } from "../index/content-store.js";

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

  /** Runs work that changes files while nothing else is written, then reads them. @throws the error of `work`. */
  async update(
    store: Pick<ContentStore, "write" | "refresh">,
    work: () => Promise<readonly string[]>,
  ): Promise<void> {
    const outcome: { touched: readonly string[]; errors: unknown[] } = { touched: [], errors: [] };
    await store.write(async () => {
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
    // In parts, between which saves go on.
    if (touched.length > 0) await store.refresh(touched);
  }
}
