import type { RecordJournal } from "../contracts.js";
import type { JournalEntries, JournalRow } from "./journal-entries.js";

/** Rows that many waiting clients read from memory. */
const MAX_ROWS = 1_000;
/** Rows of one read. */
const PAGE = 500;

/** The newest rows of the journal, as far as this process has read them. */
export class JournalTail {
  readonly #store: () => RecordJournal;
  readonly #entries: JournalEntries;
  #rows: JournalRow[] = [];
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(store: () => RecordJournal, entries: JournalEntries) {
    this.#store = store;
    this.#entries = entries;
  }

  get newest(): JournalRow | undefined {
    return this.#rows.at(-1);
  }

  /** Reads what was stored before this call, by any process; concurrent calls share a run. */
  refresh(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        this.#running = this.#load();
        return this.#running;
      });
    return this.#next;
  }

  /** The rows from a number on; null: older ones are not in memory. */
  from(n: number): readonly JournalRow[] | null {
    const at = this.#rows.findIndex((row) => row.n >= n);
    return at === -1 || this.#rows[at]?.n !== n ? null : this.#rows.slice(at);
  }

  async #load(): Promise<void> {
    let last = this.newest;
    for (;;) {
      const page = last === undefined ? [] : await this.#read(last.n);
      if (last === undefined || page[0]?.cursor !== last.cursor) return this.#restart();
      this.#rows = [...this.#rows, ...page.slice(1)].slice(-MAX_ROWS);
      last = this.newest;
      if (page.length < PAGE) return;
    }
  }

  /** Begins with the newest row: the first call, or the journal is another one. */
  async #restart(): Promise<void> {
    const newest = await this.#store().newest();
    this.#rows = newest === null ? [] : [this.#entries.unpack(newest)];
  }

  async #read(from: number): Promise<JournalRow[]> {
    const entries = await this.#store().read(from, PAGE);
    return entries.map((entry) => this.#entries.unpack(entry));
  }
}
