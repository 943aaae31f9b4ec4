import { randomUUID } from "node:crypto";
import type { Changes, Clock } from "#kernel";
import type { ContentView } from "../content/contract.js";
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
  changes: Pick<Changes, "cursor" | "since">;
  clock: Clock;
}

/** Reads the change feed as visitors may see it. */
export class ChangeReader {
  readonly #parts: ChangeReaderParts;
  /** The cursor before the first change of this process: another process does not know it. */
  readonly #start = `start-${randomUUID()}`;

  constructor(parts: ChangeReaderParts) {
    this.#parts = parts;
  }

  get cursor(): string {
    return this.#parts.changes.cursor || this.#start;
  }

  /** @throws ERR_CHANGES_GONE (410) when changes after `since` are no longer stored. */
  read(since: string, view: ContentView): ChangesPage {
    const { changes, clock } = this.#parts;
    const batches = changes.since(since === this.#start ? "" : since);
    const taken = batches.slice(0, MAX_BATCHES);
    const now = clock.now();
    return {
      items: taken.flatMap((batch) => publicChanges(batch, view, now)),
      cursor: taken.at(-1)?.cursor ?? since,
      more: batches.length > taken.length,
    };
  }
}
