/** The change feed: one ordered stream of what changed. */
import type { ChangeJournal } from "./change-journal.js";
import type { ChangeBatch, NewChangeBatch } from "./changes.js";

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
   * announces the change, otherwise the process that runs the jobs of the site root; servers that share
   * their jobs without a cluster each announce the files of their own folder.
   */
  onAnnounce(name: string, take: (batch: ChangeBatch) => void | Promise<void>): void;
  /** What happened, also before the start of this process. */
  readonly journal: ChangeJournal;
  /** The newest batch's cursor in this process; empty before the first. Not a cursor of the journal. */
  readonly cursor: string;
  /**
   * The batches after `cursor`, oldest first; with an empty cursor all that are still stored.
   * @throws ERR_CHANGES_GONE (410) when batches after it are no longer stored.
   */
  since(cursor: string): readonly ChangeBatch[];
}
