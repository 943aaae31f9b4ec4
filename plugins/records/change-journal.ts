import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
  type Change,
  type ChangeBatch,
  type ChangeStore,
  type Clock,
  engineFailureFields,
  HttpError,
  type JournalForm,
  type JournalPage,
  type Logger,
} from "#kernel";
import type {
  JournalDefinition,
  JournalEntry,
  JournalValue,
  RecordJournal,
  RecordStore,
} from "./contract.js";

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
export interface ChangeJournalOptions {
  /** The active store. */
  readonly records: Pick<RecordStore, "journal">;
  /** Converts the changes of each kind for the journal. */
  readonly forms: ReadonlyMap<string, JournalForm>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly maxEntries: number;
  readonly maxDays: number;
}

/** Stores the batches of the feed in a journal of the records, and reads them in pages. */
export class ChangesInRecords implements ChangeStore {
  readonly #options: ChangeJournalOptions;
  readonly #entries: JournalEntries;
  readonly #tail: JournalTail;
  #pending: JournalValue[] = [];
  #writing: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | null = null;
  #newestAtStart: Promise<JournalEntry | null> | null = null;
  #prunedAt = 0;
  /** Writes since old entries were deleted. */
  #written = 0;

  constructor(options: ChangeJournalOptions) {
    this.#options = options;
    this.#entries = new JournalEntries(options.forms);
    this.#tail = new JournalTail(() => this.#store, this.#entries);
  }

  get isShared(): boolean {
    return this.#store.isShared;
  }

  get seen(): string {
    return this.#tail.newest?.cursor ?? "";
  }

  append(batch: ChangeBatch): Promise<void> {
    return this.#append(this.#entries.pack(batch));
  }

  async missed(changes: readonly Change[] | null): Promise<readonly Change[]> {
    try {
      if (changes !== null) return await this.#withoutKnown(changes);
      if (!this.isShared && (await this.#atStart()) !== null) {
        await this.#append([emptyEntry(this.#options.clock.now(), { isGap: true })]);
      }
    } catch (error) {
      this.#options.log.error("changes.not_compared", engineFailureFields(error));
    }
    return [];
  }

  async #withoutKnown(changes: readonly Change[]): Promise<Change[]> {
    const outcomes = new Map<string, string>();
    for (let from = 0, isMore = true; isMore;) {
      const entries = await this.#store.read(from, MAX_READ);
      for (const entry of entries) this.#entries.noteOutcomes(entry, outcomes);
      from = (entries.at(-1)?.n ?? 0) + 1;
      isMore = entries.length === MAX_READ;
    }
    return changes.filter((change) => !this.#entries.isKnown(change, outcomes));
  }

  async cursor(): Promise<string> {
    await this.#atStart();
    await this.#tail.refresh();
    if ((this.#tail.newest?.batch ?? null) === null) {
      await this.#append([emptyEntry(this.#options.clock.now(), { isGap: false })]);
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
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#flush();
    if (this.#retry !== null) clearTimeout(this.#retry);
  }

  async #rowsFrom(from: number, limit: number): Promise<readonly JournalRow[]> {
    await this.#tail.refresh();
    const recent = this.#tail.from(from);
    if (recent !== null) return recent.slice(0, limit);
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
    this.#options.log.error("changes.not_stored", { waiting, ...engineFailureFields(error) });
    if (waiting > MAX_PENDING)
      this.#pending = [emptyEntry(this.#options.clock.now(), { isGap: true })];
    this.#retry = setTimeout(() => {
      this.#retry = null;
      void this.#flush();
    }, RETRY_MS).unref();
  }

  /** Once a day, and after each tenth of the size. */
  async #prune(): Promise<void> {
    const { clock, maxDays } = this.#options;
    const now = clock.now();
    this.#written += 1;
    if (now - this.#prunedAt < DAY_MS && this.#written < this.#options.maxEntries / 10) return;
    this.#prunedAt = now;
    this.#written = 0;
    await this.#store.prune(now - maxDays * DAY_MS).catch((error: unknown) => {
      this.#options.log.warn("changes.not_pruned", engineFailureFields(error));
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
    const { maxEntries, records } = this.#options;
    const definition: JournalDefinition = { name: "changes", maxEntries };
    return records.journal(definition);
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

/** Changes of one entry: pages of the journal stay small. */
const MAX_CHANGES = 200;

const packedChange = z.object({
  kind: z.string(),
  key: z.string(),
  op: z.enum(["create", "update", "delete", "move"]),
  to: z.string().exactOptional(),
  before: z.unknown(),
  after: z.unknown(),
});
const packedBatch = z.object({
  /** Identifies the entry, also in a journal that was restored from a backup. */
  stamp: z.string().regex(/^[0-9a-f]{8}$/),
  actor: z.object({ id: z.string(), name: z.string() }).nullable(),
  changes: z.array(packedChange),
  /** True: changes before it were lost. */
  isGap: z.boolean().exactOptional(),
});
type PackedBatch = z.output<typeof packedBatch>;

/** A batch of the journal; null: it is damaged, or changes before it were lost. */
interface JournalRow {
  readonly n: number;
  readonly cursor: string;
  readonly batch: ChangeBatch | null;
}

/** Converts batches to entries of the journal and back. */
class JournalEntries {
  readonly #forms: ReadonlyMap<string, JournalForm>;

  /** `forms`: how changes are stored, by kind. */
  constructor(forms: ReadonlyMap<string, JournalForm>) {
    this.#forms = forms;
  }

  /** The entries of a batch; none when it has no change of a kind that is kept. */
  pack({ at, actor, changes }: Pick<ChangeBatch, "at" | "actor" | "changes">): JournalValue[] {
    const packed = changes.flatMap((change) => this.#pack(change));
    const by = actor && { id: actor.id, name: actor.name };
    const values: JournalValue[] = [];
    for (let from = 0; from < packed.length; from += MAX_CHANGES) {
      const part = packed.slice(from, from + MAX_CHANGES);
      values.push(toValue(at, { actor: by, changes: part }));
    }
    return values;
  }

  /** Adds the state after each change of an entry, by what changed. */
  noteOutcomes({ value }: JournalEntry, outcomes: Map<string, string>): void {
    for (const { kind, key, to, after } of packedBatch.safeParse(value).data?.changes ?? []) {
      if (to !== undefined) outcomes.set(toName(kind, key), "null");
      outcomes.set(toName(kind, to ?? key), JSON.stringify(after));
    }
  }

  /** True when the journal ends with the state after the change, or does not store it. */
  isKnown(change: Change, outcomes: ReadonlyMap<string, string>): boolean {
    const { kind, key, to } = change;
    const states = this.#forms.get(kind)?.pack(change) ?? null;
    const outcome = outcomes.get(toName(kind, to ?? key));
    return states === null || isSameJson(states.after, outcome);
  }

  unpack({ n, at, value }: JournalEntry): JournalRow {
    const { data } = packedBatch.safeParse(value);
    const cursor = `${n}-${data?.stamp ?? ""}`;
    if (data === undefined || data.isGap === true) return { n, cursor, batch: null };
    const changes = data.changes.flatMap((change) => this.#unpack(change) ?? []);
    const actor = data.actor && { ...data.actor, email: "" };
    const about = { origin: null, isFound: false, isTransient: false, message: "" };
    return { n, cursor, batch: { cursor, at, changes, actor, tags: new Set(), ...about } };
  }

  #pack(change: Change): PackedBatch["changes"] {
    const states = this.#forms.get(change.kind)?.pack(change) ?? null;
    if (states === null) return [];
    const { kind, key, op, to } = change;
    return [{ kind, key, op, ...(to !== undefined && { to }), ...states }];
  }

  /** Null: of a kind or a form that this version does not know. */
  #unpack({ kind, ...change }: PackedBatch["changes"][number]): Change | null {
    return this.#forms.get(kind)?.unpack(change) ?? null;
  }
}

/** The first entry of a journal, and the one after changes that could not be stored. */
function emptyEntry(at: number, { isGap }: { isGap: boolean }): JournalValue {
  return toValue(at, { actor: null, changes: [], ...(isGap && { isGap }) });
}

function toValue(at: number, packed: Omit<PackedBatch, "stamp">): JournalValue {
  const stamp = randomBytes(4).toString("hex");
  const value: PackedBatch = { stamp, ...packed };
  return { at, value };
}

function toName(kind: string, key: string): string {
  return `${kind} ${key}`;
}

/** PostgreSQL orders the keys of an object by itself. */
function isSameJson(value: unknown, text: string | undefined): boolean {
  return (
    text !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(value)), JSON.parse(text))
  );
}
