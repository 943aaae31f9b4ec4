/** Counts outcomes and collects what was not imported. */
import type { ImportCounts, ImportNote, ImportReport, Origin } from "../contract.js";

/** The parts of a report that are counted. */
export type Counted = "pages" | "media" | "accounts" | "records" | "redirects" | "sidebar";

/** The report of a running import. */
export class Tally {
  readonly pages = counts();
  readonly media = counts();
  readonly accounts = counts();
  readonly records = counts();
  readonly redirects = counts();
  readonly sidebar = counts();
  readonly links = { rewritten: 0, unresolved: 0 };
  readonly #notImported: ImportNote[] = [];
  readonly #failures: ImportNote[] = [];

  /** Something stays behind. */
  note(origin: Origin, reason: string): void {
    this.#notImported.push({ ...origin, reason });
  }

  /** The site has something else there. */
  skip(part: Counted, origin: Origin, reason: string): void {
    this[part].skipped += 1;
    this.note(origin, reason);
  }

  /** Another run may succeed. */
  fail(part: Counted, origin: Origin, reason: string): void {
    this[part].failed += 1;
    this.#failures.push({ ...origin, reason });
  }

  report(from: string, dryRun: boolean): ImportReport {
    const { pages, media, accounts, records, redirects, sidebar, links } = this;
    return {
      from,
      dryRun,
      pages,
      media,
      accounts,
      records,
      redirects,
      sidebar,
      links,
      notImported: this.#notImported,
      failures: this.#failures,
    };
  }
}

function counts(): ImportCounts {
  return { created: 0, unchanged: 0, skipped: 0, failed: 0 };
}
