/** Publishes changes of the tree on the change feed, then fires the page hooks. */
import type { Change, ChangeBatch, Changes, Hooks, NewChangeBatch } from "#kernel";
import type { Caches } from "#lib/cache";
import type {
  ContentChanges,
  Generation,
  MissedChange,
  PageEntry,
  PageEvent,
} from "../contract.js";
import type { StoreChange } from "../index/store-options.js";
import type { Write } from "../index/update-queues.js";
import { folderOf, foldersAbove } from "../read/source-name.js";
import { changeTags } from "./changes.js";
import { FOUND_AT_ONCE, FoundPages, type PageChange, toPairs } from "./found-pages.js";

/** Dependencies of the announcer. */
export interface AnnouncerOptions {
  readonly hooks: Pick<Hooks, "notify">;
  readonly feed: Pick<Changes, "publish">;
  readonly cache: Pick<Caches, "invalidate">;
}

/** Announces changes of the tree, one at a time; of many pages that were found, a few at a time. */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #found = new FoundPages();
  #announced: Promise<void> = Promise.resolve();
  #announcingFound: Promise<void> = Promise.resolve();
  #isAnnouncingFound = false;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /** Publishes at once; the hooks fire when all feed listeners have finished. */
  changed(change: StoreChange): void {
    const { changes, before, after, writes } = change;
    const isOther = before !== after || changes.tags.size > 0;
    this.#announce(toBatches(change), () => {
      for (const write of writes) write.release();
      if (isOther) this.#options.hooks.notify("onRebuild", changes);
    });
  }

  /** Announces changes of the tree as it is, without invalidating anything. */
  async again(changes: readonly PageChange[]): Promise<void> {
    for (let at = 0; at < changes.length; at += FOUND_AT_ONCE) {
      const batch = { changes: changes.slice(at, at + FOUND_AT_ONCE), tags: new Set<string>() };
      this.#announce([batch], () => undefined);
      await this.settled();
    }
  }

  /** Announces changes that happened while no process served the site; the tree has them already. */
  async missed(changes: readonly PageChange[]): Promise<void> {
    const batch = { changes, tags: changeTags(toPairs(changes)), isFound: true, isMissed: true };
    this.#announce([batch], () => undefined);
    await this.settled();
  }

  /** Announces scheduled changes. */
  due(changes: ContentChanges): void {
    this.#announce([dueBatch(changes)], () => this.#options.hooks.notify("onRebuild", changes));
  }

  /** False while pages that were found wait for their announcement. */
  get isIdle(): boolean {
    return this.#found.size === 0 && !this.#isAnnouncingFound;
  }

  /** Resolves when everything published so far has been announced, but not what waits behind saves. */
  settled(): Promise<void> {
    return this.#announced;
  }

  /** Resolves when everything found or written so far has been announced. */
  async drained(): Promise<void> {
    await this.#announcingFound;
    await this.settled();
  }

  #announce(batches: readonly NewChangeBatch[], then: () => void): void {
    this.#publish(
      batches.flatMap((batch) => this.#firstOf(batch)),
      then,
    );
    if (this.#found.size === 0 || this.#isAnnouncingFound) return;
    this.#isAnnouncingFound = true;
    this.#announcingFound = this.#announceFound();
  }

  /** What is published of a batch at once. Changes of one page stay in their order. */
  #firstOf(batch: NewChangeBatch): NewChangeBatch[] {
    if (batch.isFound !== true) {
      const earlier = this.#found.takeOf(batch.changes);
      return earlier === null ? [batch] : [earlier, batch];
    }
    const first = this.#found.add(batch);
    // The tree has all of them.
    if (first !== batch) this.#options.cache.invalidate(batch.tags ?? new Set());
    return [first];
  }

  async #announceFound(): Promise<void> {
    do {
      // Saves that were published meanwhile come first.
      await this.settled();
      this.#publish(this.#found.take(), () => undefined);
      await this.settled();
    } while (this.#found.size > 0);
    this.#isAnnouncingFound = false;
  }

  #publish(batches: readonly NewChangeBatch[], then: () => void): void {
    const { feed, hooks } = this.#options;
    // The feed logs listener errors; they do not undo the change.
    const published = Promise.allSettled(batches.map((batch) => feed.publish(batch)));
    const before = this.#announced;
    this.#announced = published.then(async (results) => {
      await before;
      then();
      const announced = toAnnounce(batches, results);
      for (const { hook, data } of announced.flatMap(pageEvents)) hooks.notify(hook, data);
    });
  }
}

/** The batches that this node announces; those with a failed listener too. */
function toAnnounce(
  batches: readonly NewChangeBatch[],
  results: readonly PromiseSettledResult<ChangeBatch>[],
): readonly Pick<ChangeBatch, "changes">[] {
  return batches.flatMap((batch, at): Pick<ChangeBatch, "changes">[] => {
    const result = results[at];
    if (result?.status !== "fulfilled") return [batch];
    return result.value.origin === null ? [result.value] : [];
  });
}

/** The change feed batches of a change: one per `apply`, in the order of the writes, and one for the rest. */
export function toBatches(change: StoreChange): NewChangeBatch[] {
  const { changes, writes } = change;
  const pages = pageChanges(change);
  const [only, ...others] = writes;
  if (only === undefined) return [{ changes: pages, tags: changes.tags, isFound: true }];
  if (others.length === 0) return [toBatch(only, pages, changes.tags)];
  const owners = new WriteLookup(writes);
  const media = [...changes.tags].filter((tag) => tag.startsWith("media:"));
  const batches = writes.map((write) => {
    const written = pages.filter(({ key }) => owners.writeOf(key) === write);
    const folders = media.filter((tag) => owners.writeBelow(tag.slice("media:".length)) === write);
    return toBatch(write, written, new Set([...changeTags(toPairs(written)), ...folders]));
  });
  const rest = pages.filter(({ key }) => owners.writeOf(key) === undefined);
  const said = new Set(batches.flatMap(({ tags }) => [...(tags ?? [])]));
  const tags = new Set([...changes.tags].filter((tag) => !said.has(tag)));
  return rest.length + tags.size === 0
    ? batches
    : [...batches, { changes: rest, tags, isFound: true }];
}

/** The batch of pages that appear or disappear by their schedule. */
function dueBatch({ updated, tags }: ContentChanges): NewChangeBatch {
  const changes = updated.map((entry): Change<"page"> => pageChange("update", entry, entry));
  return { changes, tags, isFound: true };
}

/** Changes without a difference, of pages as they are now. */
export function unchanged(
  changes: readonly MissedChange[],
  { bySource }: Pick<Generation, "bySource">,
): Change<"page">[] {
  return changes.flatMap(({ op, sourcePath }): Change<"page">[] => {
    const entry = bySource.get(sourcePath) ?? null;
    if (op === "delete") return [{ kind: "page", key: sourcePath, op, before: null, after: null }];
    if (entry === null) return [];
    return [op === "create" ? pageChange(op, null, entry) : pageChange("update", entry, entry)];
  });
}

function toBatch(
  { changes, actor, message }: Write,
  pages: readonly Change<"page">[],
  tags: ReadonlySet<string>,
): NewChangeBatch {
  return { changes: [...changes, ...pages], tags, actor, message };
}

/** Created, updated and deleted pages, in this order. */
function pageChanges({ changes, before, after }: StoreChange): Change<"page">[] {
  const { created, updated, deleted } = changes;
  return [
    // A previously unreadable file is not new.
    ...created.map((entry) =>
      pageChange(before.records.has(entry.sourcePath) ? "update" : "create", null, entry),
    ),
    ...updated.map((entry) =>
      pageChange("update", before.bySource.get(entry.sourcePath) ?? null, entry),
    ),
    ...deleted.map((entry) =>
      pageChange(after.records.has(entry.sourcePath) ? "update" : "delete", entry, null),
    ),
  ];
}

function pageChange(
  op: "create" | "update" | "delete",
  before: PageEntry | null,
  after: PageEntry | null,
): Change<"page"> {
  const key = (after ?? before)?.sourcePath ?? "";
  return { kind: "page", key, op, before, after };
}

/** Finds the write that a path belongs to: the last that touched it or a folder above it. */
class WriteLookup {
  readonly #byPath = new Map<string, Write>();
  readonly #byFolder = new Map<string, Write>();

  constructor(writes: readonly Write[]) {
    for (const write of writes) {
      for (const path of write.touched) {
        this.#byPath.set(path, write);
        this.#byFolder.set(folderOf(path), write);
      }
    }
  }

  writeOf(path: string): Write | undefined {
    const owner = [path, ...foldersAbove(path)].find((at) => this.#byPath.has(at));
    return owner === undefined ? undefined : this.#byPath.get(owner);
  }

  /** The write that touched the folder or a file in it. */
  writeBelow(folder: string): Write | undefined {
    const write = this.#byFolder.get(folder);
    return write !== undefined || folder === "" ? write : this.writeOf(folder);
  }
}

/** The page hook events of a batch: pages created, updated, deleted, or with a new status. */
export function pageEvents({ changes }: Pick<ChangeBatch, "changes">): PageEvent[] {
  return changes.flatMap((change) => (change.kind === "page" ? toEvents(change) : []));
}

function toEvents({ key: sourcePath, op, before, after }: Change<"page">): PageEvent[] {
  if (op === "delete") return [{ hook: "onPageDelete", data: { sourcePath } }];
  // The file exists but cannot be read at the moment.
  if (after === null) return [];
  const { title, status } = after;
  if (op === "create") return [{ hook: "onPageCreate", data: { sourcePath, title } }];
  const update: PageEvent = { hook: "onPageUpdate", data: { sourcePath, title } };
  if (before === null || before === after) return [update];
  // Only the page's surroundings changed.
  if (before.hash === after.hash) return [];
  if (before.status === status) return [update];
  const data = { sourcePath, from: before.status, to: status };
  return [update, { hook: "onWorkflowChange", data }];
}
