/** What other plugins do with the content folder: prepare it, change its files, guard its paths. */
import { expectKind, type ExtensionList, type Extensions, type SiteContext } from "#kernel";
import type { ContentStore } from "../index/content-store.js";

/** The slots for it, and the way in for changes that the write path did not make. */
export class OutsideWork {
  readonly #guards: ExtensionList<Extensions["writeGuards"]>;
  readonly #preparations: ExtensionList<Extensions["prepareContent"]>;

  constructor(site: SiteContext) {
    const check = expectKind("function");
    this.#guards = site.extensions.open("writeGuards", { check });
    this.#preparations = site.extensions.open("prepareContent", { check });
  }

  /** Runs before the first reading. */
  async prepare(): Promise<void> {
    for (const prepare of this.#preparations.values) await prepare();
  }

  /** Why a path may not be written; null: it may. A guard that fails rejects. */
  guard(path: string): string | null {
    for (const { plugin, value: guard } of this.#guards.all) {
      const reason: unknown = guard(path);
      if (reason === null) continue;
      return typeof reason === "string"
        ? reason
        : `the write guard of plugin "${plugin}" returned neither a reason nor null`;
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
