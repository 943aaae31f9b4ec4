/** The change feed: one ordered stream of what changed. */

/** Kind of thing mapped to its state before and after a change. Filled by each `contract.ts`. */
export interface ChangeKinds {}
/** `page`, `file`, `record`, … */
export type ChangeKind = keyof ChangeKinds & string;

/** One thing that changed. */
export type Change<K extends ChangeKind = ChangeKind> = { [N in K]: ChangeOf<N> }[K];
/** A change of one kind. */
interface ChangeOf<K extends ChangeKind> {
  readonly kind: K;
  /** Unique key within the kind: a source path, `{type}/{id}`. */
  readonly key: string;
  readonly op: "create" | "update" | "delete" | "move";
  /** The key after a move. */
  readonly to?: string;
  /** Null: it was created. */
  readonly before: ChangeKinds[K] | null;
  /** Null: it was deleted. */
  readonly after: ChangeKinds[K] | null;
}
/** Who made a change; null: the file system, or the site itself. */
export interface ChangeActor {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}
/** What a publisher passes. */
export interface NewChangeBatch {
  readonly changes: readonly Change[];
  /** What is no longer true: cached values made from these are dropped. Null: all cached values are. */
  readonly tags: ReadonlySet<string> | null;
  readonly actor?: ChangeActor | null;
  /** The actor's reason. */
  readonly message?: string;
  /** The node that announces the changes; default: this one. */
  readonly origin?: string;
  /** True for what every node finds by itself, such as files changed on the disk. Default false. */
  readonly isFound?: boolean;
  /**
   * True for state that is not stored, such as who has a page open: only `react` listeners receive it, on
   * every node, and `since` leaves it out. States are JSON values. Default false.
   */
  readonly isTransient?: boolean;
}
/** Changes that happened together. */
export interface ChangeBatch {
  /** Grows with each batch, across restarts too. */
  readonly cursor: string;
  /** Unix ms. */
  readonly at: number;
  readonly changes: readonly Change[];
  readonly tags: ReadonlySet<string> | null;
  readonly actor: ChangeActor | null;
  /** Empty when the actor gave none. */
  readonly message: string;
  /**
   * The node that announces the changes; null: this one. Only `listen` and `onAnnounce` listeners can
   * rely on it: while `react` listeners run, found changes have no origin yet.
   */
  readonly origin: string | null;
  /** True for what every node finds by itself, such as files changed on the disk. */
  readonly isFound: boolean;
  /** True for state that is not stored; only `react` listeners receive it. */
  readonly isTransient: boolean;
}
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
  /** The newest batch's cursor; empty before the first. */
  readonly cursor: string;
  /**
   * The batches after `cursor`, oldest first; with an empty cursor all that are still stored.
   * @throws ERR_CHANGES_GONE (410) when batches after it are no longer stored.
   */
  since(cursor: string): readonly ChangeBatch[];
}
