/** Keeps a node registered, and follows the others. */
import { setTimeout as sleep } from "node:timers/promises";
import { createHash, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { HttpError, type Logger, type SiteContext, SiteError } from "#kernel";
import { defaultNodeName } from "#lib/stores";
import { readPackage } from "#lib/packages";
import { sha256 } from "#lib/secrets";
import type {} from "../content/contract.js";
import {
  LEADER,
  nodeLock,
  type NodeRecord,
  type RunningNode,
  type Transport,
} from "./transport.js";

/** Time between two heartbeats, in ms. */
const BEAT_MS = 1_000;
/** Heartbeats between two digests of the content, which is read for it. */
const DIGEST_EVERY = 5;
/** PostgreSQL may notice the end of a killed node this much later, in ms. */
const NAME_MS = 2_000;
const RETRY_MS = 100;
/** Content differs for a while during each change; what stays different for longer is reported, in ms. */
const DIFFERS_MS = 60_000;

/** Dependencies of membership. */
export interface MembershipOptions {
  readonly transport: Transport;
  readonly facts: NodeRecord;
  readonly log: Logger;
  /** Digest of the content of this node; empty while it is not indexed. */
  content(): string;
  /** Ms of the site's clock. */
  now(): number;
  /** Called after each heartbeat that arrived, with the nodes that run. */
  onBeat(nodes: readonly RunningNode[]): Promise<void>;
}

/** The node in its cluster: it holds the lock of its name, and that of the leader if that is free. */
export class Membership {
  readonly #options: MembershipOptions;
  #record: NodeRecord;
  #beats = 0;
  #leader: string | null = null;
  #taken: NodeRecord | null = null;
  #isUp = true;
  #different: readonly NodeRecord[] = [];
  #strangers: readonly NodeRecord[] = [];
  /** When the content was last found to be another, in ms of the site's clock. */
  #changedAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> = Promise.resolve();
  /** The last message that was applied. */
  cursor = "";
  /** When this node became the leader, in ms of `performance.now()`. */
  leaderSince = 0;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#record = options.facts;
  }

  get record(): NodeRecord {
    return this.#record;
  }

  get isLeader(): boolean {
    return this.#options.transport.locks.holds(LEADER);
  }

  /** Name of the leader at the last heartbeat; null: none. */
  get leader(): string | null {
    return this.#leader;
  }

  /** The node that runs under the name of this one. */
  get taken(): NodeRecord | null {
    return this.#taken;
  }

  /** False while the last heartbeat has not arrived. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Nodes with other plugins or another configuration. */
  get different(): readonly NodeRecord[] {
    return this.#different;
  }

  /** Nodes with other pages: probably of another cluster, which uses this store by mistake. */
  get strangers(): readonly NodeRecord[] {
    return this.#strangers;
  }

  /**
   * Takes the name of the node; heartbeats follow in the background. While the other nodes cannot be reached it
   * starts without them. @throws ERR_CLUSTER_NODE_TAKEN, ERR_POSTGRES_POOLER.
   */
  async join(): Promise<void> {
    await this.#takeName();
    await this.#beat();
    this.#timer = setInterval(() => {
      this.#beating = this.#beating.then(() => this.#beat());
    }, BEAT_MS).unref();
  }

  async leave(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#beating;
  }

  async #takeName(): Promise<void> {
    const { transport } = this.#options;
    const { name } = this.#record;
    try {
      if (await transport.locks.lock(nodeLock(name), NAME_MS)) return;
      const end = performance.now() + NAME_MS;
      // It takes its name before it shows itself.
      for (let other = null; performance.now() < end; await sleep(RETRY_MS)) {
        other = await this.#findNamesake();
        if (other !== null) throw nodeTaken(other);
      }
      throw nodeTaken({ ...this.#record, since: "an unknown time", pid: 0, host: "unknown" });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
    }
  }

  async #findNamesake(): Promise<NodeRecord | null> {
    const { name, id } = this.#record;
    const nodes = await this.#options.transport.nodes();
    return nodes.find((node) => node.name === name && node.id !== id) ?? null;
  }

  async #beat(): Promise<void> {
    const { transport, onBeat, log, content } = this.#options;
    const { locks } = transport;
    this.#record = { ...this.#record, cursor: this.cursor };
    if (this.#beats % DIGEST_EVERY === 0) this.#noteContent(content());
    this.#beats += 1;
    try {
      if (await locks.tryLock(nodeLock(this.#record.name))) {
        this.#taken = null;
        await this.#lead();
        await transport.show(this.#record);
      } else await this.#reportNamesake();
      const nodes = await transport.nodes();
      const leader = nodes.find(({ isLeader }) => isLeader)?.name ?? null;
      if (leader !== this.#leader) log.info("cluster.leader", { node: leader });
      this.#leader = leader;
      if (!this.#isUp) log.info("cluster.back");
      this.#isUp = true;
      this.#compare(nodes);
      await onBeat(nodes);
    } catch (error) {
      if (this.#isUp) log.error("cluster.down", { error: describeCause(error) });
      this.#isUp = false;
      this.#leader = null;
    }
  }

  #noteContent(content: string): void {
    const now = this.#options.now();
    if (content !== this.#record.content) this.#changedAt = now;
    this.#record.content = content;
    this.#record.isSettled = content !== "" && now - this.#changedAt >= DIFFERS_MS;
  }

  async #lead(): Promise<void> {
    const wasLeader = this.isLeader;
    if ((await this.#options.transport.locks.tryLock(LEADER)) && !wasLeader) {
      this.leaderSince = performance.now();
    }
  }

  /** Its own lost connection may still hold the name for some seconds. */
  async #reportNamesake(): Promise<void> {
    const other = await this.#findNamesake();
    if (other !== null && this.#taken === null) {
      const { name, host, pid, since } = other;
      this.#options.log.error("cluster.node_taken", { node: name, host, pid, since });
    }
    this.#taken = other;
  }

  #compare(nodes: readonly NodeRecord[]): void {
    const { digest, id } = this.#record;
    const others = nodes.filter((node) => node.id !== id);
    this.#compareContent(others);
    const different = others.filter((node) => node.digest !== digest);
    const logged = new Set(this.#different.map((node) => `${node.id} ${node.digest}`));
    for (const node of different.filter((one) => !logged.has(`${one.id} ${one.digest}`))) {
      const fix = "give all nodes the same version, plugins and configuration";
      const { name, version } = node;
      this.#options.log.warn("cluster.node_differs", { node: name, version, fix });
    }
    this.#different = different;
  }

  #compareContent(others: readonly NodeRecord[]): void {
    // Each node knows how long its own content has been the same, so their clocks need not agree.
    const { content, isSettled } = this.#record;
    const strangers = others.filter(
      (node) => isSettled && node.isSettled && node.content !== content,
    );
    const logged = new Set(this.#strangers.map(({ id }) => id));
    for (const { name, host } of strangers.filter(({ id }) => !logged.has(id))) {
      const fix =
        "let the nodes share one content folder or one git remote; give another installation of the site a database of its own";
      this.#options.log.error("cluster.content_differs", { node: name, host, fix });
    }
    this.#strangers = strangers;
  }
}

function nodeTaken({ name, host, pid, since }: NodeRecord): SiteError {
  const other = `process ${pid} on ${JSON.stringify(host)}`;
  return new SiteError(
    "ERR_CLUSTER_NODE_TAKEN",
    `node ${JSON.stringify(name)} has been running since ${since} (${other})`,
    { fix: "set another cluster.node in system.yaml of this server, or stop the other process" },
  );
}

/** Without the address, which may contain a password. */
function describeCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : String(error);
}

/** A digest of paths and texts of all pages; empty before they are indexed. Read again after a change. */
export function contentDigest(site: SiteContext): () => string {
  let last = { id: -1, digest: "" };
  return () => {
    const generation = site.use("content", { optional: true })?.generation();
    if (generation === undefined || generation.entries.length === 0) return "";
    if (generation.id === last.id) return last.digest;
    const hash = createHash("sha256");
    for (const { sourcePath, hash: text } of generation.entries)
      hash.update(`${sourcePath} ${text}\n`);
    last = { id: generation.id, digest: hash.digest("hex").slice(0, 12) };
    return last.digest;
  };
}

/** The record of this node at startup. */
export function nodeFacts(site: SiteContext): NodeRecord {
  const server = site.settings.system.cluster.node ?? defaultNodeName(site.paths.root);
  const { id } = site.runtime.workers;
  const name = id === 0 ? server : `${server}:${id}`;
  return {
    name,
    id: `${name}#${randomBytes(6).toString("hex")}`,
    host: hostname(),
    pid: process.pid,
    since: new Date(site.runtime.clock.now()).toISOString(),
    version: readPackage().version,
    digest: digestSettings(site),
    content: "",
    isSettled: false,
    cursor: "",
  };
}

/** Nodes with the same plugins and configuration have the same digest. */
function digestSettings({ settings, runtime }: SiteContext): string {
  const { site, admin } = settings;
  const system = { ...settings.system, cluster: { ...settings.system.cluster, node: null } };
  const plugins = runtime.plugins().map(({ name, version }) => [name, version]);
  return sha256(JSON.stringify({ site, system, admin, plugins })).slice(0, 12);
}
