import { monotonicFactory } from "ulid";
import {
  isPromise,
  expectOneOf,
  expectText,
  expectEach,
  expectFields,
  expectKind,
  shownValue,
} from "#lib/values";
import type {
  Caches,
  Change,
  ChangeAnnouncer,
  ChangeBatch,
  ChangeJournal,
  ChangeKind,
  Changes,
  ChangeStore,
  Clock,
  JournalForm,
  JournalPage,
  Logger,
  NewChangeBatch,
} from "../contracts.js";
import { callCheck } from "../call-check.js";
import { engineFailureFields } from "../engines/engine-calls.js";
import { ChangesInMemory, RecentBatches } from "./recent-batches.js";

/** Dependencies of the feed of a site. */
export interface ChangeFeedOptions {
  clock: Clock;
  log: Logger;
  cache: Pick<Caches, "clear" | "invalidate">;
  /** Stores what is announced; called for each use. Default: the feed's own `memory`. */
  store?: () => ChangeStore;
  /** True when this process stores for its root what `origin` announces, a node with another root. Default: false. */
  isForeign?(origin: string): boolean;
  /** Default: everything is announced here. */
  announcer?: () => ChangeAnnouncer;
  /** Asked when the announcer does not decide. Default: true. */
  announces?: () => Promise<boolean>;
  /** Default 1,000. */
  maxRemembered?: number;
}
interface Listener {
  readonly name: string;
  /** True: only in the process that announces. */
  readonly isOnce?: boolean;
  /** Default: every batch. */
  wants?(batch: ChangeBatch): boolean;
  take(batch: ChangeBatch): void | Promise<void>;
}

const listenCheck = (call: string): ((name: unknown, take: unknown) => void) =>
  callCheck(
    `changes.${call}`,
    { name: expectText, take: expectKind("function") },
    `site.changes.${call}("shop", ({ changes }) => { … })`,
  );
const assertPublish = callCheck(
  "changes.publish",
  {
    batch: expectFields({
      changes: expectEach(
        expectFields({
          kind: ["string"],
          key: ["string"],
          op: expectOneOf("create", "update", "delete", "move"),
        }),
      ),
      tags: (value) =>
        value === null || value instanceof Set
          ? null
          : `expected a set of cache tags or null, received ${shownValue(value)}`,
    }),
  },
  'site.changes.publish({ changes: [{ kind: "tide", key: "kiel", op: "update", before, after }], tags: null })',
);
const assertListener = {
  react: listenCheck("react"),
  listen: listenCheck("listen"),
  onAnnounce: listenCheck("onAnnounce"),
};

interface Delivery {
  /** Collects what listeners throw. */
  readonly errors: unknown[];
  /** Absent: the origin decides. */
  readonly announces: (() => Promise<boolean>) | undefined;
}

/** The journal of a feed: what the kinds store, passed to the active store. */
class FeedJournal implements ChangeJournal {
  readonly forms = new Map<string, JournalForm>();
  readonly memory = new ChangesInMemory(this.forms);
  readonly #options: ChangeFeedOptions;
  #comparing: Promise<unknown> = Promise.resolve();

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  get store(): ChangeStore {
    return this.#options.store?.() ?? this.memory;
  }

  get seen(): string {
    return this.store.seen;
  }

  keep(kind: ChangeKind, form: JournalForm): void {
    this.forms.set(kind, form);
  }

  missed(changes: readonly Change[] | null): Promise<readonly Change[]> {
    const unknown = this.#findUnknown(changes);
    this.#comparing = unknown;
    return unknown;
  }

  cursor(): Promise<string> {
    return this.store.cursor();
  }

  read(cursor: string, limit: number): Promise<JournalPage> {
    return this.store.read(cursor, limit);
  }

  /** A batch that another node announces: without a shared store, each root stores it for itself. */
  async storeForeign(batch: ChangeBatch): Promise<void> {
    const { origin } = batch;
    if (origin === null || this.store.isShared) return;
    if (this.#options.isForeign?.(origin) === true) await this.store.append(batch);
  }

  async close(): Promise<void> {
    await this.#comparing;
    await this.store.close?.();
  }

  async #findUnknown(changes: readonly Change[] | null): Promise<readonly Change[]> {
    if (changes?.length === 0 || (await this.#options.announces?.()) === false) return [];
    return this.store.missed(changes);
  }
}

/** The change feed of one process. */
export class ChangeFeed implements Changes {
  readonly #options: ChangeFeedOptions;
  readonly #nextCursor = monotonicFactory();
  readonly #reacting: Listener[] = [];
  readonly #listening: Listener[] = [];
  readonly #recent: RecentBatches;
  readonly #journal: FeedJournal;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#recent = new RecentBatches(options.maxRemembered);
    const journal = new FeedJournal(options);
    this.#journal = journal;
    this.#listening.push({
      name: "changes",
      isOnce: true,
      wants: ({ changes }) => changes.some(({ kind }) => journal.forms.has(kind)),
      take: (batch) => journal.store.append(batch),
    });
    this.listen("changes", (batch) => journal.storeForeign(batch));
  }

  get journal(): ChangeJournal {
    return this.#journal;
  }

  /** The store of a site without another one. */
  get memory(): ChangeStore {
    return this.#journal.memory;
  }

  get cursor(): string {
    return this.#recent.cursor;
  }

  react(name: string, take: (batch: ChangeBatch) => void): void {
    assertListener.react(name, take);
    this.#reacting.push({ name, take });
  }

  listen(name: string, take: (batch: ChangeBatch) => void | Promise<void>): void {
    assertListener.listen(name, take);
    this.#listening.push({ name, take });
  }

  onAnnounce(name: string, take: (batch: ChangeBatch) => void | Promise<void>): void {
    assertListener.onAnnounce(name, take);
    this.#listening.push({ name, isOnce: true, take });
  }

  publish(input: NewChangeBatch): Promise<ChangeBatch> {
    assertPublish(input);
    const batch = this.#append(input);
    invalidateChanged(this.#options.cache, batch);
    for (const listener of this.#reacting) this.#react(listener, batch);
    const announced = batch.origin === null ? this.#announced(batch) : [batch];
    if (batch.isTransient) return Promise.resolve(announced).then(() => batch);
    const published = this.#tail.then(async () => this.#deliverAll(batch, await announced));
    // A failed batch does not hold up the next one.
    this.#tail = published.catch(() => undefined);
    return published;
  }

  /** A batch that an announcer fails to split is announced here: what was saved must reach the listeners. */
  #announced(
    batch: ChangeBatch,
  ): readonly ChangeBatch[] | null | Promise<readonly ChangeBatch[] | null> {
    const failed = (error: unknown): readonly ChangeBatch[] => {
      this.#options.log.error("changes.announcer_failed", engineFailureFields(error));
      return [batch];
    };
    try {
      const announced = this.#options.announcer?.().announce(batch) ?? [batch];
      return isPromise(announced) ? Promise.resolve(announced).catch(failed) : announced;
    } catch (error) {
      return failed(error);
    }
  }

  /** Resolves when every published batch has reached all listeners. */
  async settled(): Promise<void> {
    for (let last: unknown; last !== this.#tail;) {
      last = this.#tail;
      await last;
    }
  }

  since(cursor: string): readonly ChangeBatch[] {
    return this.#recent.since(cursor);
  }

  /** Closes the store of the journal: the last change is published. */
  close(): Promise<void> {
    return this.#journal.close();
  }

  #append({ changes, tags, actor = null, message = "", ...by }: NewChangeBatch): ChangeBatch {
    const at = this.#options.clock.now();
    const batch = {
      cursor: this.#nextCursor(at),
      at,
      changes,
      tags,
      message,
      actor: actor && { id: actor.id, name: actor.name, email: actor.email },
      origin: by.origin ?? null,
      isFound: by.isFound === true,
      ...(by.isMissed === true && { isMissed: true }),
      isTransient: by.isTransient === true,
    };
    if (!batch.isTransient) this.#recent.add(batch);
    return batch;
  }

  #react({ name, take }: Listener, batch: ChangeBatch): void {
    try {
      void take(batch);
    } catch (error) {
      this.#logFailure(name, error);
    }
  }

  /** Delivers the parts of a batch; the part of this node is the result. */
  async #deliverAll(
    batch: ChangeBatch,
    split: readonly ChangeBatch[] | null,
  ): Promise<ChangeBatch> {
    const errors: unknown[] = [];
    const parts = split ?? [batch];
    const announces = split === null ? this.#options.announces : undefined;
    for (const part of parts) await this.#deliver(part, { errors, announces });
    if (errors.length > 0) throw errors[0];
    return parts.find(({ origin }) => origin === null) ?? parts[0] ?? batch;
  }

  async #deliver(batch: ChangeBatch, { errors, announces }: Delivery): Promise<void> {
    let isHere: boolean | undefined;
    for (const { name, isOnce = false, wants, take } of this.#listening) {
      try {
        if (wants?.(batch) === false) continue;
        if (isOnce) isHere ??= await isAnnouncedHere(batch, announces);
        if (!isOnce || isHere === true) await take(batch);
      } catch (error) {
        this.#logFailure(name, error);
        errors.push(error);
      }
    }
  }

  #logFailure(listener: string, error: unknown): void {
    this.#options.log.error("changes.listener_failed", {
      listener,
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

async function isAnnouncedHere(
  { origin }: ChangeBatch,
  announces: Delivery["announces"],
): Promise<boolean> {
  if (origin !== null) return false;
  return announces === undefined || announces();
}

/** Drops everything cached that depends on what changed: pages, lists, search results, responses. */
function invalidateChanged(
  cache: Pick<Caches, "clear" | "invalidate">,
  { tags }: Pick<NewChangeBatch, "tags">,
): void {
  if (tags === null) cache.clear();
  else cache.invalidate(tags);
}
