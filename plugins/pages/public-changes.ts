import type { Clock, Change, ChangeBatch, ChangeJournal } from "#kernel";
import type { ContentView, PageEntry } from "../content/contract.js";
import type { RecordState } from "../flex/contract.js";

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

/** Reads the journal as visitors may see it. */
export class ChangeReader {
  readonly #journal: Pick<ChangeJournal, "read">;
  readonly #clock: Clock;

  constructor(journal: Pick<ChangeJournal, "read">, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /**
   * The next page; `view` is called after the journal was read.
   * @throws ERR_CHANGES_GONE (410) when changes after `since` are no longer stored.
   */
  async read(since: string, view: () => ContentView): Promise<ChangesPage> {
    const { batches, more } = await this.#journal.read(since, MAX_BATCHES);
    const now = this.#clock.now();
    const seenBy = view();
    return {
      items: batches.flatMap((batch) => publicChanges(batch, seenBy, now)),
      cursor: batches.at(-1)?.cursor ?? since,
      more,
    };
  }
}

/** A change as a visitor may know of it. */
interface PublicChange {
  cursor: string;
  /** Unix ms. */
  at: number;
  kind: "page" | "record";
  /** Source path of a page, `{type}/{id}` of a record. */
  key: string;
  op: "create" | "update" | "delete";
  /** Address of the page, or of the record in the API. */
  url: string;
}

/** The changes of a batch that concern what the visitor may read, before or after them. */
function publicChanges(batch: ChangeBatch, view: ContentView, now: number): PublicChange[] {
  return batch.changes.flatMap((change) => {
    const visible =
      change.kind === "page"
        ? pageChange(change, view, now)
        : change.kind === "record"
          ? recordChange(change)
          : null;
    return visible === null ? [] : [{ cursor: batch.cursor, at: batch.at, ...visible }];
  });
}

type Found = Omit<PublicChange, "cursor" | "at">;

function pageChange(change: Change<"page">, view: ContentView, now: number): Found | null {
  const { key, to = key, before, after } = change;
  const was = wasReadable(before, view, now) ? before : null;
  const is = after !== null && view.isListed(after) ? after : null;
  const op = toOperation(was, is);
  if (op === null) return null;
  // A page that disappears keeps the key that the visitor knows.
  return { kind: "page", key: is === null ? key : to, op, url: (is ?? was)?.url ?? "" };
}

/**
 * A page whose time has ended was readable, one whose time has not come was not. Both entries of a
 * scheduled change are the same.
 */
function wasReadable(entry: PageEntry | null, view: ContentView, now: number): boolean {
  if (entry === null) return false;
  if (entry.publishAt !== null && entry.publishAt > now) return false;
  return view.isListed({ ...entry, unpublishAt: null });
}

function recordChange({ key, before, after }: Change<"record">): Found | null {
  const op = toOperation(published(before), published(after));
  return op === null ? null : { kind: "record", key, op, url: `/api/flex/${key}` };
}

function published(state: RecordState | null): RecordState | null {
  return state?.isPublished === true ? state : null;
}

/** Appearing is a `create` and disappearing a `delete`, whatever happened to the file. */
function toOperation(before: object | null, after: object | null): PublicChange["op"] | null {
  if (before === null) return after === null ? null : "create";
  return after === null ? "delete" : "update";
}
