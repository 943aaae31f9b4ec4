/** Pages that were found on the disk: announced a few at a time, with saves between them. */
import type { Change, NewChangeBatch } from "#kernel";
import { folderOf } from "../read/source-name.js";
import { changeTags } from "./changes.js";

/** Found pages of one announcement: a save waits for one of them, which stores versions and deliveries. */
export const FOUND_AT_ONCE = 50;
/** Tags of single pages; all others concern the whole tree. */
const PAGE_TAG = /^(?:page|route|list|media):/;
const MEDIA_TAG = "media:";

/** A change of a page. */
export type PageChange = Change<"page">;

/** Changes that were found on the disk and wait for their announcement: one per page, oldest first. */
export class FoundPages {
  readonly #waiting = new Map<string, PageChange>();
  /** Tags of media folders, which are announced with a page of theirs. */
  readonly #media = new Set<string>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Adds what was found; returns what is announced at once. The same batch if nothing waits. */
  add(batch: NewChangeBatch): NewChangeBatch {
    const { changes, tags } = batch;
    const joined = changes.flatMap((change) => this.#joined(change) ?? []);
    const pages = joined.filter(isPageChange);
    const isSplit = pages.length > FOUND_AT_ONCE;
    const isAlone =
      joined.length === changes.length && joined.every((one, at) => one === changes[at]);
    if (isAlone && !isSplit) return batch;
    const first = pages.slice(0, isSplit ? FOUND_AT_ONCE : pages.length);
    for (const change of pages.slice(first.length)) {
      this.#waiting.set(change.key, change);
      const media = mediaTagOf(change);
      if (tags?.has(media) === true) this.#media.add(media);
    }
    return { ...batch, changes: first, tags: tags && this.#tagsOf(first, tags) };
  }

  /** The next pages, in a batch; none if none wait. */
  take(): NewChangeBatch[] {
    const next: PageChange[] = [];
    for (const change of this.#waiting.values()) {
      if (next.push(change) === FOUND_AT_ONCE) break;
    }
    return next.length === 0 ? [] : [this.#toBatch(next)];
  }

  /** What waits of the pages of these changes; null: nothing. */
  takeOf(changes: readonly Change[]): NewChangeBatch | null {
    const waiting = changes.flatMap(({ key }) => this.#waiting.get(key) ?? []);
    return waiting.length === 0 ? null : this.#toBatch(waiting);
  }

  #toBatch(changes: readonly PageChange[]): NewChangeBatch {
    const tags = changeTags(toPairs(changes));
    for (const change of changes) {
      this.#waiting.delete(change.key);
      const media = mediaTagOf(change);
      if (this.#media.delete(media)) tags.add(media);
    }
    return { changes, tags, isFound: true };
  }

  /** With the tags of the whole tree, and of media without a page that waits. */
  #tagsOf(first: readonly PageChange[], all: ReadonlySet<string>): Set<string> {
    const tags = changeTags(toPairs(first));
    for (const tag of all) {
      const isHere = tag.startsWith(MEDIA_TAG) ? !this.#media.has(tag) : !PAGE_TAG.test(tag);
      if (isHere) tags.add(tag);
    }
    return tags;
  }

  /** With what waits of the same page; null: the page came and went. */
  #joined(change: Change): Change | null {
    const earlier = this.#waiting.get(change.key);
    if (earlier === undefined || !isPageChange(change)) return change;
    this.#waiting.delete(change.key);
    const [wasThere, isThere] = [earlier.op !== "create", change.op !== "delete"];
    if (!wasThere && !isThere) return null;
    const kept = wasThere ? "update" : "create";
    return { ...change, op: isThere ? kept : "delete", before: earlier.before };
  }
}

function isPageChange(change: Change): change is PageChange {
  return change.kind === "page";
}

function mediaTagOf({ key }: PageChange): string {
  return `${MEDIA_TAG}${folderOf(key)}`;
}

/** The states before and after each change. */
export function toPairs(changes: readonly PageChange[]) {
  return changes.map(({ before, after }) => [before ?? undefined, after ?? undefined] as const);
}
