/**
 * Connects several servers of one site: changes, one writer at a time, one announcement per change.
 * Provides: cluster.
 * Uses: content, flex, health.
 * Adds: writeLock, changeAnnouncer.
 */
import { definePlugin, OptionalPackages, type SiteContext, SiteError } from "#kernel";
import { siteIdentity } from "#lib/stores";
import { databaseAddress } from "#lib/databases";
import { redisCheck, postgresCheck } from "#lib/diagnostics";
import { ClusterAnnouncer, Outbox } from "./announcer.js";
import { statusCommand } from "./commands.js";
import type { ClusterNode, ClusterService } from "./contract.js";
import { PostgresTransport } from "./engines/postgres.js";
import { RedisTransport } from "./engines/redis.js";
import { WorkersTransport } from "./engines/workers.js";
import { contentDigest, Membership, parseName, nodeFacts } from "./membership.js";
import { clusterErrors } from "./errors.js";
import { Adoptions, applyMessage, rescan } from "./foreign-changes.js";
import { settings } from "./settings.js";
import type { NodeRecord, Transport } from "./transport.js";
import { ClusterLock } from "./write-lock.js";

const redisPackages = new OptionalPackages({
  plugin: "cluster",
  packages: ["redis"],
  neededBy: ({ settings: { system } }) =>
    system.cluster.enabled && system.cluster.transport === "redis"
      ? "cluster.transport: redis"
      : null,
});
const postgresPackages = new OptionalPackages({
  plugin: "cluster",
  packages: ["pg", "kysely"],
  neededBy: ({ settings: { system } }) =>
    system.cluster.enabled && system.cluster.transport === "postgres"
      ? "cluster.transport: postgres"
      : null,
});

export default definePlugin({
  name: "cluster",
  version: "1.0.0",
  diagnostics: [
    redisPackages.diagnostic,
    postgresPackages.diagnostic,
    redisCheck(({ system: { cluster } }) => cluster.enabled && cluster.transport === "redis"),
    postgresCheck(({ system: { cluster } }) => cluster.enabled && cluster.transport === "postgres"),
  ],
  onlyServing: true,
  description: "Several servers for one site",
  errors: clusterErrors,
  after: ["content", "flex", "health", "history", "webhooks"],
  settings,
  commands: [statusCommand()],
  async setup(site) {
    await redisPackages.assertInstalled(site);
    await postgresPackages.assertInstalled(site);
    const { workers } = site.runtime;
    if (site.settings.system.cluster.enabled) setUp(site, createTransport(site));
    else if (workers.id > 0) setUp(site, new WorkersTransport(workers));
  },
});

function createTransport(site: SiteContext): Transport {
  if (site.settings.system.cluster.transport === "postgres") {
    const { url, site: identity } = databaseAddress(
      site.runtime.env.get("SITE_DB_URL"),
      siteIdentity(site.settings.site),
    );
    return new PostgresTransport(url, identity, site.log);
  }
  const url = site.runtime.env.get("SITE_REDIS_URL");
  if (url !== undefined && /^rediss?:\/\/\S+$/.test(url)) {
    return new RedisTransport(url, siteIdentity(site.settings.site), site.log);
  }
  const what = url === undefined ? "not set" : "not a redis:// URL";
  throw new SiteError("ERR_CLUSTER_URL", `cluster.enabled is true and SITE_REDIS_URL is ${what}`, {
    fix: "set SITE_REDIS_URL to redis://user:password@host:6379/0, or cluster.transport to postgres",
  });
}

function setUp(site: SiteContext, transport: Transport): void {
  const { log } = site;
  const facts = nodeFacts(site);
  const outbox = new Outbox(transport);
  const adoptions = new Adoptions(site, transport);
  const announced = async (): Promise<void> => {
    await outbox.settled();
    // The leader of the workers records what they write, in the order in which they hold the lock.
    if (site.runtime.workers.id > 0) await announcer.delivered();
  };
  const lock = new ClusterLock({ transport, id: facts.id, announced });
  const membership = new Membership({
    transport,
    facts,
    log,
    content: contentDigest(site),
    now: () => site.runtime.clock.now(),
    lockToken: () => lock.token,
    onBeat: async () => {
      await outbox.settled();
      if (membership.isLeader) adoptions.start();
    },
  });
  // A command announces nothing: the server of its root, or another node, finds what it writes.
  let isServing = false;
  const node = () => (isServing ? membership.record : null);
  site.engines.activate("writeLock", lock);
  const { id: worker } = site.runtime.workers;
  const server = worker === 0 ? null : facts.name.slice(0, -`:${worker}`.length);
  const announcer = new ClusterAnnouncer({ transport, outbox, node, log, server });
  site.engines.activate("changeAnnouncer", announcer);
  // The last listener: `after` names the plugins that store what follows from a change.
  site.changes.listen("cluster", (batch) => announcer.finished(batch));
  site.provide("cluster", createService(transport, membership));
  showHealth(site, transport, membership, outbox);
  let following: Promise<void> = Promise.resolve();
  const join = async (): Promise<void> => {
    if (site.lifecycle.signal.aborted) return;
    await membership.join();
    const cursor = await firstCursor(transport, membership);
    isServing = true;
    following = follow(site, transport, membership, cursor);
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
    await outbox.settled();
    if (isServing) await membership.leave();
    await following;
    await transport.close();
  });
}

/** A message of its own, after which the node reads; empty while the transport is down. */
async function firstCursor(transport: Transport, { record }: Membership): Promise<string> {
  const { id, name: node } = record;
  return transport.send({ id, node, changes: [], tags: [] }, []).catch(() => "");
}

function follow(
  site: SiteContext,
  transport: Transport,
  membership: Membership,
  first: string,
): Promise<void> {
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

function createService(transport: Transport, membership: Membership): ClusterService {
  return {
    node: membership.record.name,
    get isLeader() {
      return membership.isLeader;
    },
    status: async () => {
      const { nodes, leader } = await transport.nodes();
      const shown = nodes.map(
        async ({ id, cursor, beats: _beats, ...node }): Promise<ClusterNode> => {
          return { ...node, isLeader: id === leader, lag: await transport.lag(cursor) };
        },
      );
      const node = membership.record.name;
      return { node, leader: parseName(leader), nodes: await Promise.all(shown) };
    },
  };
}

function showHealth(
  site: SiteContext,
  transport: Transport,
  membership: Membership,
  outbox: Outbox,
): void {
  const health = site.use("health", { optional: true });
  health?.addSection("cluster", () => ({
    node: membership.record.name,
    connected: membership.isUp,
    leader: membership.isLeader,
    unsent: outbox.size,
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
