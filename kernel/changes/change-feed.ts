import { monotonicFactory } from "ulid";
import { HttpError } from "#lib/errors";
import { expectEach, expectFields, expectKind, shownValue } from "#lib/values";
import type {
  Caches,
  ChangeAnnouncer,
  ChangeBatch,
  ChangeJournal,
  Changes,
  Clock,
  Logger,
  NewChangeBatch,
} from "../contracts.js";
import { callCheck, expectOneOf, expectText } from "../call-check.js";
import { engineFailureFields } from "../engines/engine-calls.js";
import { isPromise } from "../hooks/hook-call.js";
import type { StoredChanges } from "./change-journal.js";

/** Batches that `since` can give out. */
const MAX_REMEMBERED = 1_000;
/** Changes of all of them together; one batch may hold more. */
const MAX_CHANGES = 20_000;

/** Dependencies of the feed of a site. */
export interface ChangeFeedParts {
  clock: Clock;
  log: Logger;
  cache: Pick<Caches, "clear" | "invalidate">;
  journal: StoredChanges;
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

/** The change feed of one process. */
export class ChangeFeed implements Changes {
  readonly #parts: ChangeFeedParts;
  readonly #nextCursor = monotonicFactory();
  readonly #reacting: Listener[] = [];
  readonly #listening: Listener[] = [];
  readonly #batches: ChangeBatch[] = [];
  #hasForgotten = false;
  /** Changes of all remembered batches. */
  #size = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(parts: ChangeFeedParts) {
    this.#parts = parts;
    const { journal } = parts;
    this.#listening.push({
      name: "changes",
      isOnce: true,
      wants: (batch) => journal.keeps(batch),
      take: (batch) => journal.announced(batch),
    });
    this.listen("changes", (batch) => journal.foreign(batch));
  }

  get journal(): ChangeJournal {
    return this.#parts.journal;
  }

  get cursor(): string {
    return this.#batches.at(-1)?.cursor ?? "";
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
    invalidateChanged(this.#parts.cache, batch);
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
      this.#parts.log.error("changes.announcer_failed", engineFailureFields(error));
      return [batch];
    };
    try {
      const announced = this.#parts.announcer?.().announce(batch) ?? [batch];
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
    if (cursor === this.cursor) return [];
    const at = this.#batches.findIndex((batch) => batch.cursor === cursor);
    if (at >= 0) return this.#batches.slice(at + 1);
    if (cursor === "" && !this.#hasForgotten) return [...this.#batches];
    throw new HttpError(410, `changes after cursor ${JSON.stringify(cursor)} are not remembered`, {
      code: "ERR_CHANGES_GONE",
      fix: "read everything again, then continue from the newest cursor",
    });
  }

  #append({ changes, tags, actor = null, message = "", ...by }: NewChangeBatch): ChangeBatch {
    const at = this.#parts.clock.now();
    const batch = {
      cursor: this.#nextCursor(at),
      at,
      changes,
      tags,
      message,
      actor: actor && { id: actor.id, name: actor.name, email: actor.email },
      origin: by.origin ?? null,
      isFound: by.isFound === true,
      isTransient: by.isTransient === true,
    };
    if (!batch.isTransient) this.#remember(batch);
    return batch;
  }

  #remember(batch: ChangeBatch): void {
    this.#batches.push(batch);
    this.#size += batch.changes.length;
    while (this.#isFull()) {
      this.#size -= this.#batches.shift()?.changes.length ?? 0;
      this.#hasForgotten = true;
    }
  }

  #isFull(): boolean {
    const { length } = this.#batches;
    const isLarge = length > 1 && this.#size > MAX_CHANGES;
    return isLarge || length > (this.#parts.maxRemembered ?? MAX_REMEMBERED);
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
    const announces = split === null ? this.#parts.announces : undefined;
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
    this.#parts.log.error("changes.listener_failed", {
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
