/** The change feed: one ordered stream of what changed. */

/** Kind of thing to its state before and after a change. Filled by each `contract.ts`. */
export interface ChangeKinds {}
/** `page`, `file`, `record`, … */
export type ChangeKind = keyof ChangeKinds & string;

/** One thing that changed. */
export type Change<K extends ChangeKind = ChangeKind> = { [N in K]: ChangeOf<N> }[K];
/** A change of one kind. */
interface ChangeOf<K extends ChangeKind> {
  readonly kind: K;
  /** What identifies it among those of its kind: a source path, `{type}/{id}`. */
  readonly key: string;
  readonly op: "create" | "update" | "delete" | "move";
  /** The key after a move. */
  readonly to?: string;
  /** Null: it did not exist. */
  readonly before: ChangeKinds[K] | null;
  /** Null: it no longer exists. */
  readonly after: ChangeKinds[K] | null;
}
/** Who made a change; null: the file system, or the site itself. */
export interface ChangeActor {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}
/** What a publisher says of a batch. */
export interface NewChangeBatch {
  readonly changes: readonly Change[];
  /** What is no longer true: cached values made from these are dropped. Null: all cached values are. */
  readonly tags: ReadonlySet<string> | null;
  readonly actor?: ChangeActor | null;
  /** Why, in the actor's words. */
  readonly message?: string;
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
}
/**
 * Everything that changes content or records publishes here; everything that follows from a change
 * listens here.
 *
 * @example
 * site.changes.listen("audit", async ({ actor, changes }) => {
 *   for (const { kind, key, op } of changes) await write(`${actor?.name} ${op} ${kind} ${key}`);
 * });
 */
export interface Changes {
  /**
   * Appends a batch. In this order: cached values made from its tags are dropped and `react` listeners
   * run, both before `publish` returns; then each `listen` listener, awaited one after the other.
   * Batches keep their order: the listeners of one have ended before those of the next begin.
   * @throws what a `listen` listener throws, after all of them ran.
   */
  publish(batch: NewChangeBatch): Promise<ChangeBatch>;
  /** Calls `take` in the same tick as `publish`, for what must never be out of date; a throw is logged. */
  react(name: string, take: (batch: ChangeBatch) => void): void;
  /** Calls `take` before `publish` resolves, for what must not be lost: history, an outbox. */
  listen(name: string, take: (batch: ChangeBatch) => void | Promise<void>): void;
  /** The newest batch's cursor; empty before the first. */
  readonly cursor: string;
  /**
   * The batches after `cursor`, oldest first; empty: all that are remembered.
   * @throws ERR_CHANGES_GONE (410) when batches after it are no longer remembered.
   */
  since(cursor: string): readonly ChangeBatch[];
}
