/** Decides which node announces a change, and sends what this one announces to the others. */
import { within, type Change, type ChangeBatch, type ChangeAnnouncer } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { PageEntry } from "../content/contract.js";
import type {} from "../flex/contract.js";
import type { Announcements } from "./announcements.js";
import type { Sender } from "./messages.js";
import { LEADER, type NodeRecord, type Transport, type Version, WRITE } from "./transport.js";

/** Longest wait for listeners, in ms. */
const DELIVERED_MS = 1_000;
/** Longest wait for a node that writes, in ms; one that hangs has lost the lock by then. */
const WAIT_MS = 6_000;

/** Dependencies of the announcer. */
export interface AnnouncerOptions {
  readonly transport: Pick<Transport, "locks" | "readNotices">;
  readonly sender: Sender;
  readonly announcements: Announcements;
  /** This node; null before it has joined. */
  node(): NodeRecord | null;
  /** Name of the leader; null: not known. */
  leader(): string | null;
  /** The part of the name that all workers of the server share; null without workers. */
  readonly server: string | null;
}

interface Found {
  readonly change: Change;
  readonly version: Version;
}

/**
 * The engine of the slot `changeAnnouncer`. A node announces what it writes. What every node finds, such as
 * files that were changed on the disk, the leader announces.
 */
export class ClusterAnnouncer implements ChangeAnnouncer {
  readonly #options: AnnouncerOptions;
  /** Versions of batches whose listeners have not finished, by cursor. */
  readonly #open = new Map<string, readonly Version[]>();
  /** Cursors of batches that this node has written, whose listeners have not finished. */
  readonly #written = new Set<string>();
  #waiting: (() => void)[] = [];

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  async announce(batch: ChangeBatch): Promise<readonly ChangeBatch[] | null> {
    const node = this.#options.node();
    if (node === null) return null;
    if (batch.isTransient) {
      await this.#options.sender.transient(batch);
      return [batch];
    }
    if (batch.changes.length === 0) {
      // Each node finds what was found for itself.
      if (!batch.isFound) this.#options.sender.invalidated(batch);
      return [batch];
    }
    const found = batch.changes.flatMap((change): Found[] => {
      const version = toVersion(change, batch.at);
      return version === null ? [] : [{ change, version }];
    });
    if (!batch.isFound) {
      this.#written.add(batch.cursor);
      return this.#begin(node, batch, found);
    }
    if (found.length === 0) return [batch];
    const nodeOf = await this.#findNodes(node, found);
    const batches = split(batch, node.name, nodeOf);
    const parts = batches.map(async (part) => {
      if (part.origin !== null) return [part];
      const own = found.filter(({ change }) => part.changes.includes(change));
      return this.#begin(node, part, own);
    });
    return (await Promise.all(parts)).flat();
  }

  /**
   * Says that this node announces the batch; returns the parts that it and others announce. If the message may not
   * have arrived, another node may find and announce the same changes: then the leader does, and only once.
   */
  async #begin(
    node: NodeRecord,
    batch: ChangeBatch,
    found: readonly Found[],
  ): Promise<readonly ChangeBatch[]> {
    const { announcements, sender } = this.#options;
    const versions = found.map(({ version }) => version);
    announcements.begin(versions, node.name);
    const isKnown = await sender.begun(batch, versions);
    if (versions.length === 0) return [batch];
    if (isKnown) {
      this.#open.set(batch.cursor, versions);
      return [batch];
    }
    for (const { version, change } of found) announcements.giveUp(version, change, node.name);
    const left = new Set(found.map(({ change }) => change));
    return [
      { ...batch, changes: batch.changes.filter((change) => !left.has(change)) },
      { ...batch, origin: this.#nextLeader(node), changes: [...left] },
    ];
  }

  /** The leader if it is another node, else empty: this node may have led until it lost its lock. */
  #nextLeader({ name }: NodeRecord): string {
    const last = this.#options.leader();
    return last === null || last === name ? "" : last;
  }

  sharesRoot(origin: string): boolean {
    const { server } = this.#options;
    return server !== null && origin.startsWith(`${server}:`);
  }

  /** Call it when all listeners have stored what follows from the batch. */
  finished({ cursor, origin }: ChangeBatch): void {
    this.#written.delete(cursor);
    if (this.#written.size === 0) for (const resume of this.#waiting.splice(0)) resume();
    const versions = origin === null ? this.#open.get(cursor) : undefined;
    if (versions === undefined) return;
    this.#open.delete(cursor);
    void this.#options.sender.done(versions);
  }

  /** Resolves when what follows from this node's own writes is stored, or after a second. */
  delivered(): Promise<void> {
    if (this.#written.size === 0) return Promise.resolve();
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve));
    return within(DELIVERED_MS, done, () => undefined);
  }

  /**
   * The node that announces each change. A change may be that of a node which is writing: it says so before it
   * releases the lock, so the leader waits for that. While the others cannot be reached, the next leader announces it.
   */
  async #findNodes(
    node: NodeRecord,
    found: readonly Found[],
  ): Promise<ReadonlyMap<Change, string>> {
    const { transport, announcements } = this.#options;
    const { locks } = transport;
    const isKnown = ({ version }: Found): boolean => announcements.findNode(version) !== null;
    let isInformed = false;
    try {
      await transport.readNotices(announcements.take);
      if (locks.holds(LEADER) && !found.every(isKnown)) {
        await locks.released(WRITE, WAIT_MS);
        await transport.readNotices(announcements.take);
      }
      isInformed = true;
    } catch {
      // What the others announce is unknown. The leader announces the change some seconds later.
    }
    const isLeader = isInformed && locks.holds(LEADER);
    const leader = isLeader ? node.name : this.#nextLeader(node);
    return new Map(
      found.map(({ change, version }) => {
        const known = announcements.findNode(version);
        if (known !== null || !isLeader) announcements.leave(version, change, known);
        return [change, known ?? leader];
      }),
    );
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

/**
 * The version of a change that is announced, by which nodes that find the same change recognise it; null for
 * a change that nothing follows from.
 */
function toVersion(change: Change, now: number): Version | null {
  const { kind, key, op } = change;
  if (kind === "page") return pageVersion(change, now);
  if (kind !== "record") return null;
  const { before, after } = change;
  const [old, next] = [digest(before), digest(after)];
  const of = `record:${key}`;
  return after === null
    ? { key: of, op, state: "-", exact: `-${old}` }
    : { key: of, op, state: next, exact: next };
}

function pageVersion({ key, op, before, after }: Change<"page">, now: number): Version | null {
  const of = `page:${key}`;
  if (op === "delete") return { key: of, op, state: "-", exact: `-${toFileState(before)}` };
  // The file cannot be read at the moment.
  if (after === null) return null;
  if (before === after) return { key: `due:${key}`, op, ...dueVersion(after, now) };
  // Only the page's surroundings changed.
  if (before?.hash === after.hash) return null;
  return { key: of, op, state: after.hash, exact: toFileState(after) };
}

/** All nodes know a scheduled change by its time. */
function dueVersion(
  { publishAt, unpublishAt }: PageEntry,
  now: number,
): Pick<Version, "state" | "exact"> {
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
