/** The change feed: one ordered stream of what changed. */
import type { Change, ChangeBatch, ChangeKind, NewChangeBatch } from "./changes.js";

/**
 * Everything that changes content or records publishes here; everything that follows from a change
 * listens here.
 */
export interface Changes {
  /**
   * Appends a batch. First drops cached values that depend on its tags and runs `react` listeners, both
   * before `publish` returns; then awaits each `listen` listener, one after the other. Batches keep
   * their order: all listeners of one finish before those of the next start. Found changes that another
   * node announces too reach `listen` listeners in a batch of their own; resolves with this node's part.
   * @throws the error of a `listen` listener, after all of them ran.
   */
  publish(batch: NewChangeBatch): Promise<ChangeBatch>;
  /** Calls `take` in the same tick as `publish`, for state that must never be stale; errors are logged. */
  react(name: string, take: (batch: ChangeBatch) => void): void;
  /** Calls `take` before `publish` resolves, for work that must not be lost: history, an outbox. */
  listen(name: string, take: (batch: ChangeBatch) => void | Promise<void>): void;
  /**
   * Calls `take` as `listen` does, but for each change in one process of all that serve the site: for work
   * that must happen once, such as webhooks and mails. In a cluster and among workers it is the node that
   * announces the change, otherwise the one that leads the processes of the site root; servers that share a
   * leader without a cluster each announce the files of their own folder.
   */
  onAnnounce(name: string, take: (batch: ChangeBatch) => void | Promise<void>): void;
  /** What happened; with the plugin `records` also before the start of this process. */
  readonly journal: ChangeJournal;
  /** The newest batch's cursor in this process; empty before the first. Not a cursor of the journal. */
  readonly cursor: string;
  /**
   * The batches after `cursor`, oldest first; with an empty cursor all that are still stored.
   * @throws ERR_CHANGES_GONE (410) when batches after it are no longer stored.
   */
  since(cursor: string): readonly ChangeBatch[];
}
/** Says how changes of one kind are stored in the journal. */
export interface JournalForm {
  /**
   * What decides about access to a change, as JSON: never contents or secrets. Null: the change
   * is not stored.
   */
  pack(change: Change): PackedStates | null;
  /** The change with states as far as they are stored; null when a state is malformed. */
  unpack(change: PackedChange): Change | null;
}
/** The states of a change, as JSON. */
export interface PackedStates {
  readonly before: unknown;
  readonly after: unknown;
}
/** A stored change of a known kind. */
export interface PackedChange extends PackedStates, Pick<Change, "key" | "op" | "to"> {}
/** Batches after a cursor. */
export interface JournalPage {
  /** Oldest first. Their states are what their kinds store; addresses of actors and tags are left out. */
  readonly batches: readonly ChangeBatch[];
  /** True when more follow. */
  readonly more: boolean;
}
/**
 * The changes of the site in one order: each once, stored by the process that announces it. The active engine of
 * the slot `changeStore` decides how long its cursors are valid: with the one of the plugin `records` after a
 * restart too and, with shared records, on all nodes; without it until the process ends.
 */
export interface ChangeJournal {
  /** Changes of this kind are stored. Call it in `setup`. */
  keep(kind: ChangeKind, form: JournalForm): void;
  /** The form of each kind that is stored. */
  readonly forms: ReadonlyMap<string, JournalForm>;
  /**
   * Of what happened while no process served the site, the changes whose outcome the journal lacks and which this
   * process announces: publish them. Null: what happened is unknown, so older cursors of a journal that is not
   * shared become invalid, and nothing is to be announced.
   */
  missed(changes: readonly Change[] | null): Promise<readonly Change[]>;
  /** The newest cursor. */
  cursor(): Promise<string>;
  /** The newest cursor that this process knows of. */
  readonly seen: string;
  /**
   * The batches after `cursor`, at most `limit`.
   * @throws ERR_CHANGES_GONE (410) when batches after it are no longer stored.
   */
  read(cursor: string, limit: number): Promise<JournalPage>;
}
/**
 * Stores the changes that this process announces, in the forms of `site.changes.journal.forms`: the engine slot
 * `changeStore`.
 */
export interface ChangeStore {
  /** True: all nodes store in one place, so that changes which other nodes announce are in it already. */
  readonly isShared: boolean;
  /**
   * Stores the changes of a batch that have a form. Resolves when they are stored, or when they wait for storage
   * that fails; listeners of the feed wait for it. Never rejects.
   */
  append(batch: ChangeBatch): Promise<void>;
  /**
   * The changes whose outcome is not stored: the caller announces them, which stores them. Null: what happened is
   * unknown, so older cursors become invalid unless `isShared`. Called by a process that announces. Never rejects.
   */
  missed(changes: readonly Change[] | null): Promise<readonly Change[]>;
  /** The newest cursor; stores an empty entry in an empty store. */
  cursor(): Promise<string>;
  /** The newest cursor that this process knows of; empty before the first. */
  readonly seen: string;
  /**
   * The batches after `cursor`, at most `limit`.
   * @throws ERR_CHANGES_GONE (410) when batches after it are no longer stored.
   */
  read(cursor: string, limit: number): Promise<JournalPage>;
  /** Called when the site closes, after its last change. */
  close?(): Promise<void>;
}
