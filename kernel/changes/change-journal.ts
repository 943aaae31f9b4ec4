import { HttpError } from "#lib/errors";
import type {
  Change,
  ChangeBatch,
  ChangeJournal,
  ChangeKind,
  Clock,
  JournalDefinition,
  JournalEntry,
  JournalForm,
  JournalPage,
  JournalValue,
  Logger,
  RecordJournal,
  RecordStore,
} from "../contracts.js";
import { engineFailureFields } from "../engines/engine-calls.js";
import { emptyEntry, JournalEntries, type JournalRow } from "./journal-entries.js";

/** Entries that wait while the store fails; above it they are dropped, and older cursors become invalid. */
const MAX_PENDING = 1_000;
/** Entries of one write. */
const MAX_WRITTEN = 100;
/** Entries of one read. */
const MAX_READ = 500;
const RETRY_MS = 1_000;
const DAY_MS = 86_400_000;
const CURSOR = /^([1-9]\d{0,14})-[0-9a-f]{8}$/;

/** Dependencies of the journal. */
export interface ChangeJournalParts {
  readonly records: () => RecordStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly maxEntries: number;
  readonly maxDays: number;
  /** True when this process stores for its root what `origin` announces, a node with another root. */
  isForeign(origin: string): boolean;
  /** True when this process announces what it finds. */
  announces(): Promise<boolean>;
}

/** Stores the batches of the feed, and reads them in pages. */
export class StoredChanges implements ChangeJournal {
  readonly #parts: ChangeJournalParts;
  readonly #entries = new JournalEntries();
  readonly #tail: JournalTail;
  #pending: JournalValue[] = [];
  #writing: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | null = null;
  #newestAtStart: Promise<JournalEntry | null> | null = null;
  #comparing: Promise<void> = Promise.resolve();
  #prunedAt = 0;
  /** Writes since old entries were deleted. */
  #written = 0;

  constructor(parts: ChangeJournalParts) {
    this.#parts = parts;
    this.#tail = new JournalTail(() => this.#store, this.#entries);
  }

  get seen(): string {
    return this.#tail.newest?.cursor ?? "";
  }

  keep(kind: ChangeKind, form: JournalForm): void {
    this.#entries.add(kind, form);
  }

  /** True when something of the batch is stored. */
  keeps(batch: ChangeBatch): boolean {
    return this.#entries.keeps(batch);
  }

  /** A batch that this process announces. Resolves when it is stored, or waits for a store that fails. */
  announced(batch: ChangeBatch): Promise<void> {
    return this.#append(this.#entries.pack(batch));
  }

  /** A batch that another node announces: without a shared store, each root has a journal of its own. */
  async foreign(batch: ChangeBatch): Promise<void> {
    if (batch.origin === null || this.#store.isShared) return;
    if (this.#parts.isForeign(batch.origin)) await this.announced(batch);
  }

  missed(changes: readonly Change[] | null): Promise<void> {
    return (this.#comparing = this.#storeMissed(changes));
  }

  async #storeMissed(changes: readonly Change[] | null): Promise<void> {
    if (changes?.length === 0 || !(await this.#parts.announces())) return;
    const at = this.#parts.clock.now();
    try {
      if (changes !== null) {
        const unknown = await this.#withoutKnown(changes);
        await this.#append(this.#entries.pack({ at, actor: null, changes: unknown }));
      } else if (!this.#store.isShared && (await this.#atStart()) !== null) {
        await this.#append([emptyEntry(at, { isGap: true })]);
      }
    } catch (error) {
      this.#parts.log.error("changes.not_compared", engineFailureFields(error));
    }
  }

  async #withoutKnown(changes: readonly Change[]): Promise<Change[]> {
    const known = new Map<string, string>();
    for (let from = 0, isMore = true; isMore;) {
      const entries = await this.#store.read(from, MAX_READ);
      for (const entry of entries) this.#entries.noteOutcomes(entry, known);
      from = (entries.at(-1)?.n ?? 0) + 1;
      isMore = entries.length === MAX_READ;
    }
    return changes.filter((change) => !this.#entries.isKnown(change, known));
  }

  async cursor(): Promise<string> {
    await this.#atStart();
    await this.#tail.refresh();
    if ((this.#tail.newest?.batch ?? null) === null) {
      await this.#append([emptyEntry(this.#parts.clock.now(), { isGap: false })]);
      await this.#tail.refresh();
    }
    return this.seen;
  }

  async read(cursor: string, limit: number): Promise<JournalPage> {
    const from = Number(CURSOR.exec(cursor)?.[1] ?? 0);
    const rows = from === 0 ? null : await this.#rowsFrom(from, limit + 2);
    if (rows?.[0]?.cursor !== cursor) throw gone(cursor);
    const following = rows.slice(1);
    const lost = following.findIndex(({ batch }) => batch === null);
    if (lost === 0) throw gone(cursor);
    const complete = lost === -1 ? following : following.slice(0, lost);
    const batches = complete.slice(0, limit).flatMap(({ batch }) => batch ?? []);
    return { batches, more: following.length > batches.length };
  }

  /** Tries again to write what waits. */
  async close(): Promise<void> {
    await this.#comparing;
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#flush();
    if (this.#retry !== null) clearTimeout(this.#retry);
  }

  async #rowsFrom(from: number, limit: number): Promise<readonly JournalRow[]> {
    await this.#tail.refresh();
    const known = this.#tail.from(from);
    if (known !== null) return known.slice(0, limit);
    return (await this.#store.read(from, limit)).map((entry) => this.#entries.unpack(entry));
  }

  #append(values: readonly JournalValue[]): Promise<void> {
    if (values.length === 0) return Promise.resolve();
    this.#pending.push(...values);
    return this.#flush();
  }

  #flush(): Promise<void> {
    const written = this.#writing.then(() => this.#write());
    this.#writing = written;
    return written;
  }

  async #write(): Promise<void> {
    if (this.#retry !== null) return;
    try {
      await this.#atStart();
      while (this.#pending.length > 0) {
        const values = this.#pending.slice(0, MAX_WRITTEN);
        await this.#store.append(values);
        this.#pending.splice(0, values.length);
      }
      await this.#prune();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const waiting = this.#pending.length;
    this.#parts.log.error("changes.not_stored", { waiting, ...engineFailureFields(error) });
    if (waiting > MAX_PENDING)
      this.#pending = [emptyEntry(this.#parts.clock.now(), { isGap: true })];
    this.#retry = setTimeout(() => {
      this.#retry = null;
      void this.#flush();
    }, RETRY_MS).unref();
  }

  /** Once a day, and after each tenth of the size. */
  async #prune(): Promise<void> {
    const { clock, maxDays } = this.#parts;
    const now = clock.now();
    this.#written += 1;
    if (now - this.#prunedAt < DAY_MS && this.#written < this.#parts.maxEntries / 10) return;
    this.#prunedAt = now;
    this.#written = 0;
    await this.#store.prune(now - maxDays * DAY_MS).catch((error: unknown) => {
      this.#parts.log.warn("changes.not_pruned", engineFailureFields(error));
    });
  }

  /** The newest entry before this process wrote any. */
  #atStart(): Promise<JournalEntry | null> {
    this.#newestAtStart ??= this.#store.newest().catch((error: unknown) => {
      this.#newestAtStart = null;
      throw error;
    });
    return this.#newestAtStart;
  }

  get #store(): RecordJournal {
    const { maxEntries, records } = this.#parts;
    const definition: JournalDefinition = { name: "changes", maxEntries };
    return records().journal(definition);
  }
}

function gone(cursor: string): HttpError {
  const message = `changes after cursor ${JSON.stringify(cursor)} are not stored`;
  return new HttpError(410, message, {
    code: "ERR_CHANGES_GONE",
    fix: "read everything again, then continue from the newest cursor",
  });
}

/** Rows that many waiting clients read from memory. */
const MAX_ROWS = 1_000;
/** Rows of one read. */
const PAGE = 500;

/** The newest rows of the journal, as far as this process has read them. */
class JournalTail {
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
