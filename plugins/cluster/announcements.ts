/** What the nodes have announced, and what is still to be announced if the node that should do it dies. */
import type { Change } from "#kernel";
import type { Notice, Version } from "./transport.js";

/** Versions that are remembered of one key. */
const MAX_VERSIONS = 16;
/** Keys that are remembered. */
const MAX_KEYS = 50_000;
/** For this long an equal file is recognised though a newer version is known: nodes look late, in ms. */
const RECENT_MS = 60_000;
/** A dead node may be one that lost its connection and reports what it did when it is back, in ms. */
const GRACE_MS = 5_000;
/** A leader has found for itself what another node found this long before its end, in ms. */
const FOUND_MS = 600_000;

interface Known {
  readonly version: Version;
  readonly node: string;
  readonly at: number;
}

/** A version that its node has not announced completely. */
export interface Pending {
  readonly version: Version;
  /** The change, if this node has found it too. */
  change: Change | null;
  /** The run of the node that announces it; null: the leader does. */
  readonly owner: string | null;
  readonly node: string;
  readonly at: number;
}

/** The versions of one node's memory, from the notices of all. */
export class Announcements {
  readonly #id: string;
  readonly #now: () => number;
  readonly #known = new Map<string, Known[]>();
  readonly #pending = new Map<string, Pending>();

  /** `id`: the run of this node; `now` returns ms of a clock that never goes back. */
  constructor(id: string, now: () => number) {
    this.#id = id;
    this.#now = now;
  }

  /** The node that announces a version; null: none so far. */
  findNode({ key, state, exact }: Version): string | null {
    const found = this.#known.get(key)?.find(({ version, at }, nth) => {
      const isNewest = nth === 0 && version.state === state;
      return isNewest || (version.exact === exact && this.#now() - at < RECENT_MS);
    });
    return found?.node ?? null;
  }

  /** Call it for the notices of all nodes, in their order. */
  readonly take = ({ id, node, begun, done, left = [] }: Notice): void => {
    if (id === this.#id) return;
    for (const version of left) {
      const pending = this.#pending.get(version.key);
      const isOwed = pending?.owner === id && pending.version.exact === version.exact;
      if (isOwed) this.#await({ ...pending, owner: null });
    }
    for (const version of begun) {
      this.#add(version, node);
      this.#await({ version, owner: id, node, change: this.#changeOf(version) });
    }
    for (const version of done) {
      if (this.#known.get(version.key)?.[0]?.version.exact !== version.exact)
        this.#add(version, node);
      if (this.#pending.get(version.key)?.version.exact === version.exact)
        this.#pending.delete(version.key);
    }
  };

  /** Remembers what this node announces. */
  begin(versions: readonly Version[], node: string): void {
    for (const version of versions) {
      this.#add(version, node);
      this.#pending.delete(version.key);
    }
  }

  /** Cancels what this node began: the others may not know of it, so the leader announces it. */
  giveUp(version: Version, change: Change, node: string): void {
    const known = this.#known.get(version.key) ?? [];
    const others = known.filter((one) => one.node !== node || one.version.exact !== version.exact);
    this.#known.set(version.key, others);
    if (this.findNode(version) === null) this.leave(version, change, null);
  }

  /** Remembers what this node has found and another one announces; null: the leader does. */
  leave(version: Version, change: Change, node: string | null): void {
    const pending = this.#pending.get(version.key);
    if (pending?.version.exact === version.exact) pending.change = change;
    else if (node === null) this.#await({ version, owner: null, node: "", change });
  }

  /**
   * What the leader announces for nodes that have ended, and what it found before it led, from `since` on.
   * `running`: the runs of all nodes.
   */
  takeAbandoned(running: ReadonlySet<string>, since: number): readonly Pending[] {
    const now = this.#now();
    const abandoned = [...this.#pending.values()].filter(({ owner, at }) => {
      if (owner !== null && running.has(owner)) return false;
      return now - Math.max(at, since) >= GRACE_MS;
    });
    for (const { version } of abandoned) this.#pending.delete(version.key);
    return abandoned.filter(({ owner, at }) => owner !== null || at > since - FOUND_MS);
  }

  #changeOf({ key, exact }: Version): Change | null {
    const pending = this.#pending.get(key);
    return pending?.version.exact === exact ? pending.change : null;
  }

  #await(pending: Omit<Pending, "at">): void {
    const { key } = pending.version;
    this.#pending.delete(key);
    this.#pending.set(key, { ...pending, at: this.#now() });
    dropOldest(this.#pending);
  }

  #add(version: Version, node: string): void {
    const earlier = this.#known.get(version.key) ?? [];
    this.#known.delete(version.key);
    const known = [{ version, node, at: this.#now() }, ...earlier].slice(0, MAX_VERSIONS);
    this.#known.set(version.key, known);
    dropOldest(this.#known);
  }
}

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > MAX_KEYS && oldest !== undefined) map.delete(oldest);
}
