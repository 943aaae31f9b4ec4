/** What nodes share, and how they reach each other. */
import { z } from "zod";

/** Messages that are stored for nodes that were away. */
export const MAX_MESSAGES = 10_000;
/** Messages that a node has not applied are counted up to this number. */
export const MAX_LAG = 1_000;

/** A node as it is stored. */
export const nodeSchema = z.object({
  name: z.string(),
  /** Unique for each run of a node. */
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  since: z.string(),
  version: z.string(),
  digest: z.string(),
  /** Digest of its content; empty: not known. */
  content: z.string(),
  /** True when its content has not changed for a minute. */
  isSettled: z.boolean().default(false),
  /** The last message that it applied. */
  cursor: z.string(),
});
export type NodeRecord = z.output<typeof nodeSchema>;

/** A node that runs. */
export const runningNodeSchema = nodeSchema.extend({
  isLeader: z.boolean(),
  /** Messages that it has not applied, up to `MAX_LAG`. */
  lag: z.number(),
});
export type RunningNode = z.output<typeof runningNodeSchema>;

/** A batch of the change feed, as other nodes receive it. */
export const messageSchema = z.object({
  /** Id and name of the sending node. */
  id: z.string(),
  node: z.string(),
  /** Null: too many to list. */
  changes: z
    .array(
      z.object({
        kind: z.string(),
        key: z.string(),
        op: z.enum(["create", "update", "delete", "move"]),
        to: z.string().optional(),
        /** State after a transient change; null: deleted. */
        after: z.unknown().optional(),
      }),
    )
    .nullable(),
  /** Null: everything. */
  tags: z.array(z.string()).nullable(),
  /** True: the changes are not stored anywhere, and hold their states. */
  isTransient: z.boolean().optional(),
});
export type Message = z.output<typeof messageSchema>;

const versionSchema = z.object({
  /** Kind and key of what changed. */
  key: z.string(),
  op: z.enum(["create", "update", "delete", "move"]),
  /** The same for equal content. */
  state: z.string(),
  /** The same for one file only: another save with equal content differs. */
  exact: z.string(),
});
/** A state that a change led to. */
export type Version = Readonly<z.output<typeof versionSchema>>;

/** What a node says about versions. */
export const noticeSchema = z.object({
  /** Id and name of the sending node. */
  id: z.string(),
  node: z.string(),
  /** It announces these. */
  begun: z.array(versionSchema).readonly(),
  /** What follows from these is stored. */
  done: z.array(versionSchema).readonly(),
  /** It could not claim these in time: the leader announces them. */
  left: z.array(versionSchema).readonly().optional(),
});
export type Notice = z.output<typeof noticeSchema>;
/** The versions of a notice. */
export type Announced = Pick<Notice, "begun" | "done" | "left">;

/** Options of reading messages. */
export interface Following {
  /** The last message that was applied; empty: unknown, so `lost` is called first. */
  readonly cursor: string;
  readonly signal: AbortSignal;
  take(message: Message, cursor: string): Promise<void>;
  /** Called when messages may have been missed, with the cursor to continue from. */
  lost(cursor: string): Promise<void>;
}

/** Locks of the whole cluster. They belong to the process, and are free once it ends, or was ended because it hangs. */
export interface Locks {
  /** True while no other process can hold the lock. */
  holds(name: string): boolean;
  /** Takes the lock if it is free; true when this process holds it. */
  tryLock(name: string): Promise<boolean>;
  /** Waits up to `limitMs` for the lock; false when another process holds it all the time. */
  lock(name: string, limitMs: number): Promise<boolean>;
  unlock(name: string): Promise<void>;
  /** Waits up to `limitMs` until the process that holds the lock now has released it; false when it has not. */
  released(name: string, limitMs: number): Promise<boolean>;
  /** True while no other process holds the lock. */
  isFree(name: string): Promise<boolean>;
}

/** The lock of all writes. */
export const WRITE = "write";
/** The lock of the leader. */
export const LEADER = "leader";

/** The lock of the name of a node. */
export function nodeLock(name: string): string {
  return `node ${name}`;
}

/** The connection of a node. Calls reject with ERR_CLUSTER_DOWN (503) while the other nodes cannot be reached. */
export interface Transport {
  /** Name of what connects the nodes, for messages. */
  readonly store: string;
  readonly locks: Locks;
  /** Resolves also while nothing responds at the address. @throws when it is a wrong one. */
  open(): Promise<void>;
  /** Stores what the other nodes see of this one, while it holds the lock of its name. */
  show(node: NodeRecord): Promise<void>;
  /** The nodes that run, by name. */
  nodes(): Promise<readonly RunningNode[]>;
  /** Sends a message, and notices in the same step; resolves with the cursor. In the order of the calls. */
  send(message: Message, notice?: Announced): Promise<string>;
  /** Passes on notices that were sent before, in their order; after a loss of messages all that are stored. */
  readNotices(take: (notice: Notice) => void): Promise<void>;
  /** Reads messages until aborted; reconnects by itself. */
  follow(options: Following): Promise<void>;
  close(): Promise<void>;
}
