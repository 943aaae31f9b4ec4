import type { Clock } from "#kernel";
import type { ChangeJournal } from "#kernel/internal";
import type { ContentView } from "../../content/contract.js";
import { publicChanges, type PublicChange } from "./public-changes.js";

/** Changes after a cursor. */
export interface ChangesPage {
  items: PublicChange[];
  /** Continue from here. */
  cursor: string;
  /** True when more follow at once. */
  more: boolean;
}

/** Batches per page: a batch stays in one piece. */
const MAX_BATCHES = 100;

/** Parts of reading changes. */
export interface ChangeReaderParts {
  journal: Pick<ChangeJournal, "read">;
  clock: Clock;
}

/** Reads the journal as visitors may see it. */
export class ChangeReader {
  readonly #parts: ChangeReaderParts;

  constructor(parts: ChangeReaderParts) {
    this.#parts = parts;
  }

  /**
   * The next page; `view` is asked after the journal was read.
   * @throws ERR_CHANGES_GONE (410) when changes after `since` are no longer stored.
   */
  async read(since: string, view: () => ContentView): Promise<ChangesPage> {
    const { journal, clock } = this.#parts;
    const { batches, more } = await journal.read(since, MAX_BATCHES);
    const now = clock.now();
    const seenBy = view();
    return {
      items: batches.flatMap((batch) => publicChanges(batch, seenBy, now)),
      cursor: batches.at(-1)?.cursor ?? since,
      more,
    };
  }
}
