import { monotonicFactory } from "ulid";
import { HttpError } from "#lib/errors";
import type { Change, ChangeBatch, ChangeStore, JournalForm, JournalPage } from "../contracts.js";

/** Batches that `since` can give out. */
const MAX_REMEMBERED = 1_000;
/** Changes of all of them together; one batch may hold more. */
const MAX_CHANGES = 20_000;

/** The newest batches, in memory: as many as fit, and always the newest one. */
export class RecentBatches {
  readonly #maxBatches: number;
  readonly #batches: ChangeBatch[] = [];
  #hasForgotten = false;
  /** Changes of all batches. */
  #size = 0;

  /** `maxBatches`: default 1,000. */
  constructor(maxBatches = MAX_REMEMBERED) {
    this.#maxBatches = maxBatches;
  }

  /** The newest cursor; empty before the first batch. */
  get cursor(): string {
    return this.#batches.at(-1)?.cursor ?? "";
  }

  add(batch: ChangeBatch): void {
    const batches = this.#batches;
    batches.push(batch);
    this.#size += batch.changes.length;
    const isFull = (): boolean =>
      batches.length > this.#maxBatches || (batches.length > 1 && this.#size > MAX_CHANGES);
    while (isFull()) {
      this.#size -= batches.shift()?.changes.length ?? 0;
      this.#hasForgotten = true;
    }
  }

  /**
   * The batches after `cursor`, oldest first; with an empty cursor all.
   * @throws ERR_CHANGES_GONE (410) when batches after it are dropped.
   */
  since(cursor: string): readonly ChangeBatch[] {
    if (cursor === this.cursor) return [];
    const at = this.#batches.findIndex((batch) => batch.cursor === cursor);
    if (at >= 0) return this.#batches.slice(at + 1);
    if (cursor === "" && !this.#hasForgotten) return [...this.#batches];
    throw new HttpError(410, `changes after cursor ${JSON.stringify(cursor)} are not remembered`, {
      code: "ERR_CHANGES_GONE",
      fix: "read everything again, then continue from the newest cursor",
    });
  }
}

/** The changes that this process announces, until it ends: the engine `memory` of the slot `changeStore`. */
export class ChangesInMemory implements ChangeStore {
  readonly isShared = false;
  readonly #forms: ReadonlyMap<string, JournalForm>;
  readonly #nextCursor = monotonicFactory();
  readonly #recent = new RecentBatches();

  /** `forms`: those of the journal. */
  constructor(forms: ReadonlyMap<string, JournalForm>) {
    this.#forms = forms;
  }

  get seen(): string {
    return this.#recent.cursor;
  }

  append({ at, actor, changes }: Pick<ChangeBatch, "at" | "actor" | "changes">): Promise<void> {
    const stored = changes.flatMap((change) => this.#stored(change) ?? []);
    if (stored.length > 0) this.#add({ at, actor, changes: stored });
    return Promise.resolve();
  }

  /** None: what an earlier process has announced is not known, nor is a cursor from before this one valid. */
  missed(): Promise<readonly Change[]> {
    return Promise.resolve([]);
  }

  cursor(): Promise<string> {
    // A first batch without changes gives clients a cursor to start from.
    if (this.seen === "") this.#add({ at: 0, actor: null, changes: [] });
    return Promise.resolve(this.seen);
  }

  async read(cursor: string, limit: number): Promise<JournalPage> {
    const following = this.#recent.since(cursor);
    return { batches: following.slice(0, limit), more: following.length > limit };
  }

  #add({ at, actor, changes }: Pick<ChangeBatch, "at" | "actor" | "changes">): void {
    this.#recent.add({
      cursor: this.#nextCursor(at),
      at,
      changes,
      actor: actor && { ...actor, email: "" },
      tags: new Set(),
      message: "",
      origin: null,
      isFound: false,
      isTransient: false,
    });
  }

  /** The change as a journal on disk returns it; null: it is not stored. */
  #stored(change: Change): Change | null {
    const form = this.#forms.get(change.kind);
    const states = form?.pack(change) ?? null;
    if (form === undefined || states === null) return null;
    const { key, op, to } = change;
    return form.unpack({ key, op, ...(to !== undefined && { to }), ...states });
  }
}
