/** The data that nodes share, and how nodes reach each other. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Logger } from "#kernel";

/** Time for which a node counts as running after its last heartbeat, in ms. */
export const NODE_TTL_MS = 3_000;
/** Messages that are stored for nodes that were away. */
export const MAX_MESSAGES = 10_000;
/** Transports count messages up to this number. */
export const MAX_LAG = 1_000;
/** Versions of one call of a store. */
const SLICE = 500;

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
  content: z.string().default(""),
  /** Heartbeats so far. */
  beats: z.number(),
  /** The last message that it applied. */
  cursor: z.string(),
});
export type NodeRecord = z.output<typeof nodeSchema>;

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
  /** Names an announcement that is under way, until `finish`. */
  open: z.string().optional(),
  /** True: the changes are not stored anywhere, and hold their states. */
  isTransient: z.boolean().optional(),
});
export type Message = z.output<typeof messageSchema>;

/** A state that a change led to. */
export const versionSchema = z.object({
  /** Kind and key of what changed. */
  key: z.string(),
  /** The same for equal content. */
  state: z.string(),
  /** The same for one file only: another save with equal content differs. */
  exact: z.string(),
});
export type Version = Readonly<z.output<typeof versionSchema>>;

/** Claims versions slice by slice; null as soon as the claim of a slice is. */
export async function claimInSlices(
  versions: readonly Version[],
  claim: (some: readonly Version[]) => Promise<readonly string[] | null>,
): Promise<readonly string[] | null> {
  const nodes: string[] = [];
  for (let at = 0; at < versions.length; at += SLICE) {
    const owners = await claim(versions.slice(at, at + SLICE));
    if (owners === null) return null;
    nodes.push(...owners);
  }
  return nodes;
}

/** Options of reading messages. */
export interface Following {
  /** The last message that was applied; empty: unknown, so `lost` is called first. */
  readonly cursor: string;
  readonly signal: AbortSignal;
  take(message: Message, cursor: string): Promise<void>;
  /** Called when messages may have been missed, with the cursor to continue from. */
  lost(cursor: string): Promise<void>;
}

/** The connection of a node. Calls reject within about a second while the server is down. */
export interface Transport {
  /** Name of the store through which nodes reach each other, for messages. */
  readonly store: string;
  /** Checks the address; resolves also while nothing responds there. @throws when it is a wrong one. */
  open(): Promise<void>;
  /**
   * Registers the node or keeps it registered, and competes for leadership. `token`: the lock that it
   * holds; another lock of this node is a leftover and is removed.
   */
  beat(node: NodeRecord, token: string): Promise<{ taken: NodeRecord | null; leader: string }>;
  leave(node: NodeRecord): Promise<void>;
  nodes(): Promise<{ nodes: readonly NodeRecord[]; leader: string }>;
  /** Takes the lock of the site; false while another node holds it. */
  lock(token: string, ttlMs: number): Promise<boolean>;
  /** False: the lock is lost. */
  renew(token: string, ttlMs: number): Promise<boolean>;
  unlock(token: string): Promise<void>;
  /**
   * Returns for each version the node that announces it; claims unclaimed ones for this node. Null: another node
   * is writing, so what it announces is not known yet.
   */
  claim(node: NodeRecord, versions: readonly Version[]): Promise<readonly string[] | null>;
  /** Sends a message, and records the versions as announced by its node; resolves with its cursor. */
  send(message: Message, versions: readonly Version[]): Promise<string>;
  /** An announcement is complete: its webhooks and mails are stored. */
  finish(open: string): Promise<void>;
  /** Messages whose announcement is under way on a node that no longer runs. */
  orphans(): Promise<readonly Message[]>;
  /** Messages of all nodes after a cursor, up to `MAX_LAG`. */
  lag(cursor: string): Promise<number>;
  /** Reads messages until aborted; reconnects by itself. */
  follow(options: Following): Promise<void>;
  close(): Promise<void>;
}

/** Pause before the next connection, in ms. */
const PAUSE_MS = 200;

/** The place of a reader in the stream of messages. */
export class ReaderPosition {
  readonly #following: Following;
  readonly #log: Logger;
  /** The last message that was applied. */
  cursor: string;

  constructor(following: Following, log: Logger) {
    this.#following = following;
    this.#log = log;
    this.cursor = following.cursor;
  }

  /** Continues from `head`, because messages before it may have been missed. */
  async skipTo(head: string): Promise<void> {
    await this.#following.lost(head);
    this.cursor = head;
  }

  /** Applies a message. One of another version of Sitewright may have another form. */
  async take(text: string, cursor: string): Promise<void> {
    const message = parseMessage(text);
    if (message === null) this.#log.warn("cluster.message_invalid", { id: cursor });
    else await this.#following.take(message, cursor);
    this.cursor = cursor;
  }
}

/** Calls `read` until aborted: it connects, reads until the connection is lost, and throws. */
export async function keepReading(
  following: Following,
  log: Logger,
  read: (at: ReaderPosition) => Promise<void>,
): Promise<void> {
  const { signal } = following;
  const at = new ReaderPosition(following, log);
  while (!signal.aborted) {
    try {
      await read(at);
    } catch (error) {
      if (!signal.aborted) log.debug("cluster.read_failed", { error: String(error) });
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

function parseMessage(text: string): Message | null {
  try {
    return messageSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
