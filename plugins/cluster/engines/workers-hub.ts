/** The primary process keeps the data that workers of one server share, as Redis does for several machines. */
import { z } from "zod";
import type { PrimaryHub } from "../../workers/contract.js";
import {
  MAX_LAG,
  messageSchema,
  nodeSchema,
  versionSchema,
  type Message,
  type NodeRecord,
  type Version,
} from "../transport.js";

const tokenSchema = z.object({ token: z.string(), ttlMs: z.number() });
const claimSchema = z.object({ node: nodeSchema, versions: z.array(versionSchema) });
const sendSchema = z.object({ message: messageSchema, versions: z.array(versionSchema) });

/** A worker that has joined. */
interface Joined {
  readonly node: NodeRecord;
  /** True once it takes messages. */
  follows: boolean;
}

/** Registers the hub's calls: `cluster.*`. */
export default function clusterPart(hub: PrimaryHub): void {
  new WorkersHub(hub).register();
}

class WorkersHub {
  readonly #hub: PrimaryHub;
  readonly #joined = new Map<number, Joined>();
  readonly #versions = new AnnouncedVersions(() => performance.now());
  /** Announcements under way. */
  readonly #open = new Map<string, Message>();
  #lock: { token: string; worker: number; until: number } | null = null;
  #sent = 0;

  constructor(hub: PrimaryHub) {
    this.#hub = hub;
  }

  register(): void {
    const hub = this.#hub;
    hub.handle("cluster.beat", (input, worker) => this.#beat(nodeSchema.parse(input), worker));
    hub.handle("cluster.leave", (_input, worker) => this.#forget(worker));
    hub.handle("cluster.nodes", () => ({
      nodes: [...this.#joined.values()].map(({ node }) => node),
      leader: this.#leaderId(),
    }));
    hub.handle("cluster.lock", (input, worker) => this.#take(tokenSchema.parse(input), worker));
    hub.handle("cluster.renew", (input) => this.#renew(tokenSchema.parse(input)));
    hub.handle("cluster.unlock", (input) => {
      if (this.#lock?.token === input) this.#lock = null;
    });
    hub.handle("cluster.claim", (input, worker) => this.#claim(claimSchema.parse(input), worker));
    hub.handle("cluster.send", (input, worker) => this.#send(sendSchema.parse(input), worker));
    hub.handle("cluster.finish", (input) => this.#open.delete(z.string().parse(input)));
    hub.handle("cluster.orphans", () => this.#orphans());
    hub.handle("cluster.lag", (input) => Math.min(this.#sent - Number(input), MAX_LAG));
    hub.handle("cluster.follow", (_input, worker) => this.#follow(worker));
    hub.onLeft((worker) => this.#forget(worker));
  }

  #beat(node: NodeRecord, worker: number) {
    this.#joined.set(worker, { follows: false, ...this.#joined.get(worker), node });
    return { taken: null, leader: this.#leaderId() };
  }

  #leaderId(): string {
    const { leader } = this.#hub;
    return (leader === null ? undefined : this.#joined.get(leader)?.node.id) ?? "";
  }

  #forget(worker: number): void {
    this.#joined.delete(worker);
    if (this.#lock?.worker === worker) this.#lock = null;
  }

  /** A worker takes one lock at a time, so another one of its own is a leftover. */
  #take({ token, ttlMs }: z.output<typeof tokenSchema>, worker: number): boolean {
    if (this.#isLockedBy(worker) === "another") return false;
    this.#lock = { token, worker, until: performance.now() + ttlMs };
    return true;
  }

  #isLockedBy(worker: number): "another" | "own" | null {
    if (this.#lock === null || this.#lock.until <= performance.now()) return null;
    return this.#lock.worker === worker ? "own" : "another";
  }

  #renew({ token, ttlMs }: z.output<typeof tokenSchema>): boolean {
    if (this.#lock?.token !== token) return false;
    this.#lock.until = performance.now() + ttlMs;
    return true;
  }

  #claim({ node, versions }: z.output<typeof claimSchema>, worker: number) {
    const owners = versions.map((version) => this.#versions.findNode(version));
    if (owners.every((name) => name !== null)) return owners;
    if (this.#isLockedBy(worker) === "another") return null;
    return versions.map((version, at) => {
      const name = owners[at] ?? null;
      if (name === null) this.#versions.add(version, node.name);
      return name ?? node.name;
    });
  }

  /** Resolves when the other workers have applied the message, so that their next response shows it. */
  async #send({ message, versions }: z.output<typeof sendSchema>, from: number): Promise<string> {
    for (const version of versions) this.#versions.add(version, message.node);
    if (message.open !== undefined) this.#open.set(message.open, message);
    const cursor = String(++this.#sent);
    const others = [...this.#joined].filter(([id, { follows }]) => follows && id !== from);
    const packet = { message, cursor };
    await Promise.allSettled(others.map(([id]) => this.#hub.tell(id, "cluster.take", packet)));
    return cursor;
  }

  #follow(worker: number): string {
    const joined = this.#joined.get(worker);
    if (joined !== undefined) joined.follows = true;
    return String(this.#sent);
  }

  #orphans(): readonly Message[] {
    const running = new Set([...this.#joined.values()].map(({ node }) => node.id));
    return [...this.#open.values()].filter(({ id }) => !running.has(id));
  }
}

/** Versions that are remembered of one key. */
const MAX_VERSIONS = 16;
/** Keys that are remembered. */
const MAX_KEYS = 50_000;
/** For this long an equal file is recognised though a newer version is known: workers look late, in ms. */
const RECENT_MS = 60_000;

interface Announced extends Omit<Version, "key"> {
  readonly node: string;
  readonly at: number;
}

/**
 * Announced versions by key, the newest first, by the rules of the script `CLAIM` for Redis. The oldest keys
 * are dropped.
 */
class AnnouncedVersions {
  readonly #byKey = new Map<string, Announced[]>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The node that announced a version; null: none. */
  findNode({ key, state, exact }: Version): string | null {
    const now = this.#now();
    const version = (this.#byKey.get(key) ?? []).find(
      (one, nth) =>
        (nth === 0 && one.state === state) || (one.exact === exact && now - one.at < RECENT_MS),
    );
    return version?.node ?? null;
  }

  add({ key, state, exact }: Version, node: string): void {
    const earlier = this.#byKey.get(key) ?? [];
    this.#byKey.delete(key);
    const versions = [{ state, exact, node, at: this.#now() }, ...earlier].slice(0, MAX_VERSIONS);
    this.#byKey.set(key, versions);
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > MAX_KEYS && oldest !== undefined) this.#byKey.delete(oldest);
  }
}
