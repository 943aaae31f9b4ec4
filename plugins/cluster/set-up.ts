import type { SiteContext } from "#kernel";
import { siteIdentity } from "#lib/stores";
import { databaseAddress } from "#lib/databases";
import { Announcements } from "./announcements.js";
import { ClusterAnnouncer } from "./announcer.js";
import type { ClusterNode, ClusterService } from "./contract.js";
import { PostgresTransport } from "./engines/postgres.js";
import { WorkersTransport } from "./engines/workers.js";
import { adopt, applyMessage, rescan } from "./foreign-changes.js";
import { contentDigest, Membership, nodeFacts } from "./membership.js";
import { Sender } from "./messages.js";
import {
  LEADER,
  type Locks,
  type NodeRecord,
  type RunningNode,
  type Transport,
} from "./transport.js";
import { ClusterLock } from "./write-lock.js";

/** Registers what the plugin does in a site that starts. */
export function setUpCluster(site: SiteContext): void {
  const { runtime, settings } = site;
  if (settings.system.cluster.enabled) {
    const identity = siteIdentity(settings.site);
    const { url } = databaseAddress(runtime.env.get("SITE_DB_URL"), identity);
    connect(site, new PostgresTransport(url, identity, site.log));
  } else connect(site, new WorkersTransport(runtime.workers));
}

/** The parts of a node. */
interface Node {
  readonly site: SiteContext;
  readonly transport: Transport;
  readonly membership: Membership;
  readonly sender: Sender;
}

function connect(site: SiteContext, transport: Transport): void {
  const { log } = site;
  const facts = nodeFacts(site);
  const sender = new Sender(transport, facts);
  const announcements = new Announcements(facts.id, () => performance.now());
  // A command announces nothing: the server of its root, or another node, finds what it writes.
  let isServing = false;
  const { id: worker } = site.runtime.workers;
  const announcer = new ClusterAnnouncer({
    transport,
    sender,
    announcements,
    node: () => (isServing ? membership.record : null),
    leader: () => membership.leader,
    server: worker === 0 ? null : facts.name.slice(0, -`:${worker}`.length),
  });
  const membership = new Membership({
    transport,
    facts,
    log,
    content: contentDigest(site),
    now: () => site.runtime.clock.now(),
    async onBeat(nodes) {
      await assertConnected();
      if (membership.isLeader) adoptAbandoned(nodes);
    },
  });
  /** In the background: the heartbeat must not wait for webhooks. */
  const adoptAbandoned = (nodes: readonly RunningNode[]): void => {
    const running = new Set(nodes.map(({ id }) => id));
    const abandoned = announcements.takeAbandoned(running, membership.leaderSince);
    if (abandoned.length === 0) return;
    adopt(site, abandoned)
      .then(() => sender.done(abandoned.map(({ version }) => version)))
      .catch((error: unknown) => log.error("cluster.not_adopted", { error: String(error) }));
  };
  const announced = async (): Promise<void> => {
    await sender.settled();
    // The leader of the workers records what they write, in the order in which they hold the lock.
    if (worker > 0) await announcer.delivered();
  };
  // The connection of the locks may be back before the one of the messages.
  const assertConnected = async (): Promise<void> => {
    await sender.retry();
    await transport.readNotices(announcements.take);
  };
  const { locks } = transport;
  const lock = new ClusterLock({ locks, assertConnected, announced });
  site.engines.activate("writeLock", lock);
  site.engines.activate("changeAnnouncer", announcer);
  if (site.settings.system.cluster.enabled) activateLeader(site, locks, () => isServing);
  // The last listener: `after` names the plugins that store what follows from a change.
  site.changes.listen("cluster", (batch) => announcer.finished(batch));
  const node: Node = { site, transport, membership, sender };
  site.provide("cluster", createService(node));
  showHealth(node);
  let following: Promise<void> = Promise.resolve();
  const join = async (): Promise<void> => {
    if (site.lifecycle.signal.aborted) return;
    await membership.join();
    const first = await firstCursor(node);
    isServing = true;
    following = follow(node, first);
  };
  site.lifecycle.onListen(async () => {
    await transport.open();
    const { workers } = site.runtime;
    if (workers.isLeader || workers.id > 0) return join();
    // It replaces a site of this process, which is the node until it has closed.
    workers.whenLeader(() => {
      const joined = join().then(async () => {
        if (isServing) await rescan(site, facts.name);
      });
      joined.catch((error: unknown) => log.error("cluster.not_joined", { error: String(error) }));
    });
  });
  site.lifecycle.onClose(async () => {
    await sender.settled();
    await membership.leave();
    await following;
    await transport.close();
  });
}

/** What is no node, such as a command, leads only while no node does, and without the lock. */
function activateLeader({ engines }: SiteContext, locks: Locks, isNode: () => boolean): void {
  const claim = (): Promise<boolean> =>
    (isNode() ? locks.tryLock(LEADER) : locks.isFree(LEADER)).catch(() => false);
  engines.activate("leader", { claim }, { wraps: engines.slot("leader").activeName });
}

/** A message of its own, after which the node reads; empty while the others cannot be reached. */
async function firstCursor({ transport, membership }: Node): Promise<string> {
  const { id, name: node } = membership.record;
  return transport.send({ id, node, changes: [], tags: [] }).catch(() => "");
}

function follow({ site, transport, membership }: Node, first: string): Promise<void> {
  const { id, name } = membership.record;
  membership.cursor = first;
  return transport.follow({
    cursor: first,
    signal: site.lifecycle.signal,
    take: async (message, cursor) => {
      if (message.id !== id) await applyMessage(site, message);
      membership.cursor = cursor;
    },
    lost: async (cursor) => {
      await rescan(site, name);
      membership.cursor = cursor;
    },
  });
}

function createService({ transport, membership }: Node): ClusterService {
  return {
    node: membership.record.name,
    get isLeader() {
      return membership.isLeader;
    },
    status: async () => {
      const nodes = await transport.nodes();
      const shown = nodes.map(
        ({ id: _id, cursor: _cursor, isSettled: _settled, ...node }): ClusterNode => node,
      );
      const leader = nodes.find(({ isLeader }) => isLeader)?.name ?? null;
      return { node: membership.record.name, leader, nodes: shown };
    },
  };
}

function showHealth({ site, transport, membership, sender }: Node): void {
  const health = site.use("health", { optional: true });
  health?.addSection("cluster", () => ({
    node: membership.record.name,
    connected: membership.isUp,
    leader: membership.isLeader,
    unsent: sender.unsent,
    different: membership.different.map(({ name }) => name),
    otherContent: membership.strangers.map(({ name }) => name),
  }));
  health?.addCheck("cluster", () => describeProblem(membership, transport));
}

function describeProblem(
  { isUp, taken, different, strangers }: Membership,
  { store }: Transport,
): string | null {
  if (!isUp) return `${store} does not respond: pages are served, nothing can be saved`;
  if (taken !== null) return `another process runs as node ${JSON.stringify(taken.name)}`;
  const names = (nodes: readonly NodeRecord[]): string => nodes.map(({ name }) => name).join(", ");
  if (strangers.length > 0) {
    return `other pages on: ${names(strangers)}; do two installations of the site use ${store}?`;
  }
  return different.length === 0 ? null : `other plugins or configuration on: ${names(different)}`;
}
