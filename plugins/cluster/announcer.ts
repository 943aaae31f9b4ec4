/** Decides which node announces a change, and sends what this one announces to the others. */
import { setTimeout as sleep } from "node:timers/promises";
import { within, type Change, type ChangeBatch, type Logger, type ChangeAnnouncer } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { PageEntry } from "../content/contract.js";
import type {} from "../flex/contract.js";
import type { Message, NodeRecord, Transport, Version } from "./transport.js";

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

/** Dependencies of the announcer. */
export interface AnnouncerOptions {
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
  readonly #options: AnnouncerOptions;
  /** Cursors of this node's own changes whose listeners have not finished. */
  readonly #open = new Set<string>();
  #waiting: (() => void)[] = [];

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  async announce(batch: ChangeBatch): Promise<readonly ChangeBatch[] | null> {
    const node = this.#options.node();
    if (node === null) return null;
    if (batch.isTransient) {
      await this.#sendTransient(node, batch);
      return [batch];
    }
    const versioned = batch.changes.flatMap((change): Found[] => {
      const version = toVersion(change, batch.at);
      return version === null ? [] : [{ change, version }];
    });
    if (!batch.isFound) {
      this.#open.add(batch.cursor);
      await this.#send(node, batch, versioned);
      return [batch];
    }
    if (versioned.length === 0) return [batch];
    const claimed = await this.#claim(node, versioned);
    const batches = split(batch, node.name, claimed);
    const local = batches.find(({ origin }) => origin === null);
    if (local !== undefined) await this.#send(node, local, []);
    return batches;
  }

  /** While the transport is down, transient changes must not crowd out others: they are repeated. */
  async #sendTransient({ id, name }: NodeRecord, { changes }: ChangeBatch): Promise<void> {
    if (this.#options.outbox.size >= MAX_BEHIND) return;
    const listed = changes.map(({ kind, key, op, after }) => ({ kind, key, op, after }));
    const message = { id, node: name, changes: listed, tags: [], isTransient: true };
    await this.#options.outbox.add({ message, versions: [] });
  }

  #send(node: NodeRecord, batch: ChangeBatch, versioned: readonly Found[]): Promise<void> {
    const message = toMessage(node, batch);
    const versions = versioned.map(({ version }) => version);
    const isAnnounced = message.changes?.some(({ kind }) => kind === "page") === true;
    const open = isAnnounced ? { open: openName(node, batch) } : {};
    return this.#options.outbox.add({ message: { ...message, ...open }, versions });
  }

  sharesRoot(origin: string): boolean {
    const { server } = this.#options;
    return server !== null && origin.startsWith(`${server}:`);
  }

  /** Call it when all listeners have stored what follows from the batch. */
  finished(batch: ChangeBatch): void {
    this.#open.delete(batch.cursor);
    if (this.#open.size === 0) for (const resume of this.#waiting.splice(0)) resume();
    const node = this.#options.node();
    const isOwn = batch.origin === null && batch.changes.some(({ kind }) => kind === "page");
    if (node !== null && isOwn) void this.#options.outbox.add({ finished: openName(node, batch) });
  }

  /** Resolves when what follows from this node's own changes is stored, or after a second. */
  delivered(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve));
    return within(DELIVERED_MS, done, () => undefined);
  }

  /**
   * The node that announces each change, also while the site closes. While the transport is down, this node announces:
   * twice is better than never.
   */
  async #claim(
    node: NodeRecord,
    versioned: readonly Found[],
  ): Promise<ReadonlyMap<Change, string>> {
    const versions = versioned.map(({ version }) => version);
    const nodeOf = (nodes: readonly string[]): ReadonlyMap<Change, string> =>
      new Map(versioned.map(({ change }, at) => [change, nodes[at] ?? node.name]));
    const end = performance.now() + WAIT_MS;
    try {
      while (performance.now() < end) {
        const nodes = await this.#options.transport.claim(node, versions);
        if (nodes !== null) return nodeOf(nodes);
        await sleep(RETRY_MS);
      }
    } catch (error) {
      this.#options.log.debug("cluster.not_claimed", { error: String(error) });
    }
    return nodeOf([]);
  }
}

/** A batch per node, with the changes that it announces; changes that need no announcement go with the first. */
function split(
  batch: ChangeBatch,
  node: string,
  nodeOf: ReadonlyMap<Change, string>,
): ChangeBatch[] {
  const names = [...new Set(nodeOf.values())];
  const first = names.includes(node) ? node : names[0];
  if (first === undefined) return [batch];
  const others = names.filter((name) => name !== first);
  return [first, ...others].map((name) => ({
    ...batch,
    origin: name === node ? null : name,
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

/**
 * The version of a change that is announced, by which nodes that find the same change recognise it; null for
 * a change that nothing follows from.
 */
function toVersion(change: Change, now: number): Version | null {
  const { kind, key } = change;
  if (kind === "page") return pageVersion(change, now);
  if (kind !== "record") return null;
  const { before, after } = change;
  const [old, next] = [digest(before), digest(after)];
  const of = `record:${key}`;
  return after === null
    ? { key: of, state: "-", exact: `-${old}` }
    : { key: of, state: next, exact: next };
}

function pageVersion({ key, op, before, after }: Change<"page">, now: number): Version | null {
  if (op === "delete") return { key: `page:${key}`, state: "-", exact: `-${toFileState(before)}` };
  // The file cannot be read at the moment.
  if (after === null) return null;
  if (before === after) return { key: `due:${key}`, ...dueVersion(after, now) };
  // Only the page's surroundings changed.
  if (before?.hash === after.hash) return null;
  return { key: `page:${key}`, state: after.hash, exact: toFileState(after) };
}

/** All nodes know a scheduled change by its time. */
function dueVersion({ publishAt, unpublishAt }: PageEntry, now: number): Omit<Version, "key"> {
  const past = [publishAt ?? 0, unpublishAt ?? 0].filter((time) => time <= now);
  const state = String(Math.max(0, ...past));
  return { state, exact: state };
}

function toFileState(entry: PageEntry | null): string {
  return entry === null ? "" : `${entry.hash}@${entry.mtimeMs}`;
}

function digest(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 32);
}

/** Messages that wait; above this one message replaces them, after which nodes read everything again. */
const MAX_WAITING = 1_000;
/** Longest wait for a message to be sent, in ms. It stays in the outbox. */
const LIMIT_MS = 1_000;

/** A message, or the name of an announcement that is complete. */
type Letter =
  | { readonly message: Message; readonly versions: readonly Version[] }
  | { readonly finished: string };

/** Messages to other nodes, in order; they wait here while the transport is down. */
export class Outbox {
  readonly #transport: Pick<Transport, "send" | "finish">;
  #waiting: Letter[] = [];
  #sending: Promise<void> | null = null;

  constructor(transport: Pick<Transport, "send" | "finish">) {
    this.#transport = transport;
  }

  /** Messages that are not sent yet. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Resolves when it is sent, or after a second. */
  add(letter: Letter): Promise<void> {
    this.#waiting.push(letter);
    if (this.#waiting.length > MAX_WAITING && "message" in letter) {
      const { id, node } = letter.message;
      const isFinish = (one: Letter): boolean => "finished" in one;
      const message = { id, node, changes: null, tags: null };
      this.#waiting = [{ message, versions: [] }, ...this.#waiting.filter(isFinish)];
    }
    return this.settled();
  }

  /** Sends what waits; resolves when that is done, has failed, or takes longer than a second. */
  settled(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    this.#sending ??= this.#send().finally(() => (this.#sending = null));
    return within(LIMIT_MS, this.#sending, () => undefined);
  }

  async #send(): Promise<void> {
    for (;;) {
      const [letter] = this.#waiting;
      if (letter === undefined) return;
      try {
        if ("finished" in letter) await this.#transport.finish(letter.finished);
        else await this.#transport.send(letter.message, letter.versions);
      } catch {
        // The next heartbeat tries again.
        return;
      }
      if (this.#waiting[0] === letter) this.#waiting.shift();
    }
  }
}
