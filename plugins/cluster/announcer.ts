/** Decides which node announces a change, and sends what this one announces to the others. */
import { setTimeout as sleep } from "node:timers/promises";
import { within, type Change, type ChangeBatch, type Logger, type ChangeAnnouncer } from "#kernel";
import type { Outbox } from "./outbox.js";
import type { Message, NodeRecord, Transport, Version } from "./transport.js";
import { versionOf } from "./versions.js";

/** Above these, other nodes read everything again. */
const MAX_CHANGES = 1_000;
const MAX_TAGS = 10_000;
/** Unsent messages; above it, transient changes are not sent. */
const MAX_BEHIND = 100;
/** Pause while another node writes, in ms. */
const RETRY_MS = 25;
/** Longest wait for listeners, in ms. */
const DELIVERED_MS = 1_000;
/** Longer than a lock of a dead node is valid, in ms. */
const WAIT_MS = 15_000;

/** What announcing needs. */
export interface AnnouncerParts {
  readonly transport: Pick<Transport, "claim">;
  readonly outbox: Outbox;
  /** This node; null before it has joined. */
  node(): NodeRecord | null;
  readonly log: Logger;
  /** The part of the name that all workers of the server share; null without workers. */
  readonly server: string | null;
}

interface Found {
  readonly change: Change;
  readonly version: Version;
}

/** The engine of the slot `changeAnnouncer`. */
export class ClusterAnnouncer implements ChangeAnnouncer {
  readonly #parts: AnnouncerParts;
  /** Cursors of this node's own changes whose listeners have not finished. */
  readonly #open = new Set<string>();
  #waiting: (() => void)[] = [];

  constructor(parts: AnnouncerParts) {
    this.#parts = parts;
  }

  async announce(batch: ChangeBatch): Promise<readonly ChangeBatch[] | null> {
    const node = this.#parts.node();
    if (node === null) return null;
    if (batch.isTransient) {
      await this.#sendTransient(node, batch);
      return [batch];
    }
    const found = batch.changes.flatMap((change): Found[] => {
      const version = versionOf(change, batch.at);
      return version === null ? [] : [{ change, version }];
    });
    if (!batch.isFound) {
      this.#open.add(batch.cursor);
      await this.#send(node, batch, found);
      return [batch];
    }
    if (found.length === 0) return [batch];
    const nodes = await this.#claim(node, found);
    const parts = split(batch, { node: node.name, found, nodes });
    const own = parts.find(({ origin }) => origin === null);
    if (own !== undefined) await this.#send(node, own, []);
    return parts;
  }

  /** While the transport is down, transient changes must not crowd out others: they are repeated. */
  async #sendTransient({ id, name }: NodeRecord, { changes }: ChangeBatch): Promise<void> {
    if (this.#parts.outbox.size >= MAX_BEHIND) return;
    const listed = changes.map(({ kind, key, op, after }) => ({ kind, key, op, after }));
    const message = { id, node: name, changes: listed, tags: [], isTransient: true };
    await this.#parts.outbox.add({ message, versions: [] });
  }

  #send(node: NodeRecord, batch: ChangeBatch, found: readonly Found[]): Promise<void> {
    const message = toMessage(node, batch);
    const versions = found.map(({ version }) => version);
    const isAnnounced = message.changes?.some(({ kind }) => kind === "page") === true;
    const open = isAnnounced ? { open: openName(node, batch) } : {};
    return this.#parts.outbox.add({ message: { ...message, ...open }, versions });
  }

  sharesRoot(origin: string): boolean {
    const { server } = this.#parts;
    return server !== null && origin.startsWith(`${server}:`);
  }

  /** Call it when all listeners have stored what follows from the batch. */
  finished(batch: ChangeBatch): void {
    this.#open.delete(batch.cursor);
    if (this.#open.size === 0) for (const resume of this.#waiting.splice(0)) resume();
    const node = this.#parts.node();
    const isOwn = batch.origin === null && batch.changes.some(({ kind }) => kind === "page");
    if (node !== null && isOwn) void this.#parts.outbox.add({ finished: openName(node, batch) });
  }

  /** Resolves when what follows from this node's own changes is stored, or after a second. */
  delivered(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve));
    return within(DELIVERED_MS, done, () => undefined);
  }

  /**
   * The node of each change, also while the site closes. While the transport is down, this node announces:
   * twice is better than never.
   */
  async #claim(node: NodeRecord, found: readonly Found[]): Promise<readonly string[]> {
    const versions = found.map(({ version }) => version);
    const end = performance.now() + WAIT_MS;
    try {
      while (performance.now() < end) {
        const nodes = await this.#parts.transport.claim(node, versions);
        if (nodes !== null) return nodes;
        await sleep(RETRY_MS);
      }
    } catch (error) {
      this.#parts.log.debug("cluster.not_claimed", { error: String(error) });
    }
    return versions.map(() => node.name);
  }
}

/** Parts of a batch by node; changes that need no announcement go with the first. */
function split(
  batch: ChangeBatch,
  by: { node: string; found: readonly Found[]; nodes: readonly string[] },
): ChangeBatch[] {
  const nodeOf = new Map(by.found.map(({ change }, at) => [change, by.nodes[at] ?? by.node]));
  const names = [...new Set(nodeOf.values())];
  const first = names.includes(by.node) ? by.node : names[0];
  if (first === undefined) return [batch];
  const others = names.filter((name) => name !== first);
  return [first, ...others].map((name) => ({
    ...batch,
    origin: name === by.node ? null : name,
    changes: batch.changes.filter((change) => (nodeOf.get(change) ?? first) === name),
  }));
}

function toMessage({ id, name }: NodeRecord, { changes, tags }: ChangeBatch): Message {
  const isLarge = changes.length > MAX_CHANGES || (tags?.size ?? 0) > MAX_TAGS;
  const listed = changes.map(({ kind, key, op, to }) => ({
    kind,
    key,
    op,
    ...(to !== undefined && { to }),
  }));
  return {
    id,
    node: name,
    changes: isLarge ? null : listed,
    tags: isLarge || tags === null ? null : [...tags],
  };
}

function openName({ id }: NodeRecord, { cursor }: ChangeBatch): string {
  return `${id}/${cursor}`;
}
