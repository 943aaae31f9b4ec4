/** Counts outcomes and collects what was not imported. */
import type {
  ImportCounts,
  ImportGroup,
  ImportNote,
  ImportReport,
  NotImported,
  Origin,
} from "../contract.js";

/** The parts of a report that are counted. */
export type Counted = "pages" | "media" | "accounts" | "records" | "redirects" | "sidebar";

/** Places that a group names. */
const MAX_PLACES = 5;

/** Counts by kind, with the first places of each. */
class Groups {
  readonly #groups = new Map<string, { count: number; readonly places: Origin[] }>();

  add(kind: string, { file, line }: Origin): void {
    const place: Origin = { file, ...(line !== undefined && { line }) };
    const group = this.#groups.get(kind);
    if (group === undefined) this.#groups.set(kind, { count: 1, places: [place] });
    else {
      group.count += 1;
      if (group.places.length < MAX_PLACES) group.places.push(place);
    }
  }

  /** Most frequent first; equals in the order in which they came. */
  list(): ImportGroup[] {
    const groups = [...this.#groups].map(([kind, group]) => ({ kind, ...group }));
    return groups.toSorted((a, b) => b.count - a.count);
  }
}

/** The report of a running import. */
export class Tally {
  readonly pages = counts();
  readonly media = counts();
  readonly accounts = counts();
  readonly records = counts();
  readonly redirects = counts();
  readonly sidebar = counts();
  readonly links = { rewritten: 0, unresolved: 0 };
  /** Keys of the configuration that were set. */
  readonly settings: string[] = [];
  readonly #notImported: ImportNote[] = [];
  readonly #failures: ImportNote[] = [];
  readonly #lostLinks: ImportNote[] = [];
  readonly #deadLinks: ImportNote[] = [];
  readonly #groups = new Groups();
  readonly #leftovers = new Groups();

  /** Something stays behind; `group`: what the report counts it as. */
  note(origin: Origin, reason: string, group = reason): void {
    this.#notImported.push({ ...origin, reason });
    this.#groups.add(group, origin);
  }

  /** Something beside the content stays behind, which the report only counts. */
  count(origin: Origin, kind: string): void {
    this.#groups.add(kind, origin);
  }

  /** An item of the source stays behind. */
  leave({ origin, reason, group, isCounted = false }: NotImported): void {
    if (isCounted) this.count(origin, group ?? reason);
    else this.note(origin, reason, group);
  }

  /** A written page has what looks like the syntax of another system. */
  leftover(origin: Origin, kind: string): void {
    this.#leftovers.add(kind, origin);
  }

  /** A link has no target; `lost`: why its target was not imported, null when the source had none. */
  deadLink(origin: Origin, target: string, lost: string | null): void {
    const shown = JSON.stringify(target.slice(0, 200));
    if (lost === null) {
      const reason = `link to ${shown} leads to nothing that was imported`;
      this.#deadLinks.push({ ...origin, reason });
    } else {
      const reason = `link to ${shown} had a target that was not imported: ${lost}`;
      this.#lostLinks.push({ ...origin, reason });
    }
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
      settings: this.settings,
      notImported: this.#notImported,
      groups: this.#groups.list(),
      leftovers: this.#leftovers.list(),
      lostLinks: this.#lostLinks,
      deadLinks: this.#deadLinks,
      failures: this.#failures,
    };
  }
}

function counts(): ImportCounts {
  return { created: 0, unchanged: 0, skipped: 0, failed: 0 };
}
