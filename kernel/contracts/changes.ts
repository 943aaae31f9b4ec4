/** Batches of the change feed. */

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
/** A batch as a publisher passes it. */
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
  /** True for found changes that happened while no process served the site: the next startup announces them. */
  readonly isMissed?: boolean;
  /**
   * True for state that is not stored, such as the presence of editors: only `react` listeners receive it, on
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
  /** True for found changes that happened while no process served the site; absent for all others. */
  readonly isMissed?: boolean;
  /** True for state that is not stored; only `react` listeners receive it. */
  readonly isTransient: boolean;
}
