/** What changed while the site was not running. */
import type { SiteContext } from "#kernel";
import { missedChanges, type Pages } from "../write/journal-form.js";

/** The pages of the last run, as its snapshot has them. */
export class LastRun {
  #pages: Pages | null = null;

  /** Null: there is no snapshot. */
  note(pages: Pages | null): void {
    this.#pages = pages;
  }

  /** Stores how `pages` differ from those of the last run in the journal of changes. Call it once. */
  async storeChanges({ changes }: Pick<SiteContext, "changes">, pages: Pages): Promise<void> {
    const last = this.#pages;
    this.#pages = null;
    await changes.journal.missed(missedChanges(last, pages));
  }
}
