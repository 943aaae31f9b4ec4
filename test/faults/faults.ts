// Everything that is done to the cluster.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { queryAt } from "../support/servers/cluster-stores.js";
import { SessionLocks } from "#lib/databases";
import { checkouts } from "./checkouts.js";
import type { FaultCluster } from "./fault-cluster.js";
import type { Fault } from "./fault.js";
import { hostOf, STORES, type StoreName } from "./stores.js";

const titles = { redis: "Redis", postgres: "PostgreSQL", s3: "S3 server" };
const SLOW_MS = 300;
const GONE = 200;

/** Faults of PostgreSQL beside those that every store has. */
const databaseFaults: readonly Fault[] = [
  {
    name: "postgres-down",
    title: "PostgreSQL stopped for 20 s",
    ms: 20_000,
    part: "cluster",
    begin: ({ stores }) => stores.servers.postgres.end("SIGINT"),
    end: ({ stores }) => stores.servers.postgres.startAgain(),
  },
  {
    name: "postgres-sigstop",
    title: "PostgreSQL frozen for 30 s (SIGSTOP)",
    ms: 30_000,
    part: "cluster",
    begin: ({ stores }) => stores.servers.postgres.signalAll("SIGSTOP"),
    end: ({ stores }) => stores.servers.postgres.signalAll("SIGCONT"),
  },
  {
    name: "postgres-swallowed",
    title: "connection of node A to PostgreSQL swallows everything",
    begin: ({ nodes: [a] }) => a.links.proxies.postgres.freeze(),
    end: ({ nodes: [a] }) => a.links.proxies.postgres.restore(),
  },
  {
    name: "messages-truncated",
    title: "table of messages truncated, under load",
    begin: async ({ databaseUrl }) => {
      await queryAt(databaseUrl, "truncate site_messages");
    },
    end: () => undefined,
  },
  {
    name: "database-restored",
    title: "database restored to the state of 4 s before",
    ms: 1_000,
    losesJobs: true,
    part: "cluster",
    begin: async ({ stores: { servers } }) => {
      await servers.postgres.end("SIGINT");
      servers.postgres.backup();
      await servers.postgres.startAgain();
      // Work that the backup does not know.
      await delay(4_000);
      await servers.postgres.end("SIGINT");
      servers.postgres.restore();
    },
    end: ({ stores }) => stores.servers.postgres.startAgain(),
  },
];

/** Bytes of an upload that reach the bucket: its headers, and the beginning of an image. */
const UPLOADED_BYTES = 2_000;

/** Health asks a store that nothing called for ten seconds; three failures make it a problem. */
const UNUSED_MS = 15_000;

/** Faults of the bucket beside those that every store has. */
const bucketFaults: readonly Fault[] = [
  {
    name: "s3-500",
    title: "S3 server responds 500",
    part: "image-store",
    ms: UNUSED_MS,
    begin: ({ proxies }) =>
      proxies("s3").forEach((proxy) => proxy.answer("500 Internal Server Error")),
    end: restoreBucket,
  },
  {
    name: "s3-credentials",
    title: "S3 server rejects the credentials (403)",
    part: "image-store",
    ms: UNUSED_MS,
    begin: ({ proxies }) => proxies("s3").forEach((proxy) => proxy.answer("403 Forbidden")),
    end: restoreBucket,
  },
  {
    name: "s3-cut",
    title: "connections to the S3 server cut in each upload",
    begin: ({ proxies }) => proxies("s3").forEach((proxy) => proxy.cutAfter(UPLOADED_BYTES)),
    end: restoreBucket,
  },
];

async function restoreBucket({ proxies }: FaultCluster): Promise<void> {
  for (const proxy of proxies("s3")) await proxy.restore();
}

export const faults: readonly Fault[] = [
  ...nodeFaults(),
  ...STORES.flatMap(storeFaults),
  ...bucketFaults,
  ...databaseFaults,
  {
    name: "split-all",
    title: "node A split off from all stores",
    begin: ({ nodes: [a] }) => Object.values(a.links.proxies).forEach((proxy) => proxy.freeze()),
    end: async ({ nodes: [a] }) => {
      for (const proxy of Object.values(a.links.proxies)) await proxy.restore();
    },
  },
  {
    name: "dns",
    title: "names of the stores do not resolve, connections cut",
    begin: async ({ disk, proxies }) => {
      disk.resolve([]);
      for (const proxy of proxies()) await proxy.cut();
      for (const proxy of proxies()) await proxy.restore();
    },
    end: ({ disk }) => disk.resolve(STORES.map(hostOf)),
  },
  {
    name: "clock",
    title: "clock of node A an hour ahead, then back",
    begin: ({ nodes: [a] }) => a.signal("SIGUSR2"),
    end: ({ nodes: [a] }) => a.signal("SIGUSR2"),
  },
  {
    name: "clock-30",
    title: "clock of node A 30 s ahead, then back",
    begin: ({ nodes: [a] }) => a.signal("SIGWINCH"),
    end: ({ nodes: [a] }) => a.signal("SIGWINCH"),
  },
  {
    name: "disk-slow",
    title: "each flush to the disk takes 600 ms",
    begin: ({ nodes }) => nodes.forEach((node) => node.signal("SIGIO")),
    end: ({ nodes }) => nodes.forEach((node) => node.signal("SIGIO")),
  },
  {
    name: "disk-full",
    title: "disk full",
    isShort: true,
    part: "disk",
    isExamined: true,
    begin: ({ disk }) => disk.fill(),
    end: ({ disk }) => disk.empty(),
  },
  {
    name: "disk-read-only",
    title: "disk read-only",
    part: "folders",
    isExamined: true,
    begin: ({ disk }) => disk.remount("ro"),
    end: ({ disk }) => disk.remount("rw"),
  },
  {
    name: "files-vanish",
    title: `${GONE} pages vanish and come back`,
    begin: ({ content, disk }) => {
      const folder = join(content, "04.other");
      for (let at = 0; at < GONE; at += 1) {
        mkdirSync(join(folder, `other-${at}`), { recursive: true });
        writeFileSync(join(folder, `other-${at}/default.md`), `---\ntitle: Other ${at}\n---\n`);
      }
      renameSync(folder, join(disk.path, "gone"));
    },
    end: async ({ content, disk }) => {
      renameSync(join(disk.path, "gone"), join(content, "04.other"));
      await delay(1000);
      rmSync(join(content, "04.other"), { recursive: true });
    },
  },
  checkouts,
];

/** The name of the node that holds a lock. */
async function holderOf({ databaseUrl }: FaultCluster, lock: string): Promise<string | null> {
  const held = `select pid, (classid::bigint << 32) | objid::bigint as key from pg_locks
    where locktype = 'advisory' and granted`;
  const [row] = await queryAt(
    databaseUrl,
    `with held as (${held}) select node.name from site_nodes node
      join held own on own.key = ${SessionLocks.key("'node ' || node.name")}
      join held other on other.pid = own.pid and other.key = ${SessionLocks.key(`'${lock}'`)}`,
  );
  return row === undefined ? null : String(row["name"]);
}

/** The node that holds a lock, killed at that moment. */
function killHolder(lock: string): Pick<Fault, "begin" | "end" | "stopsNodes" | "kills"> {
  return {
    stopsNodes: true,
    kills: true,
    begin: async (cluster) => {
      for (;;) {
        const name = await holderOf(cluster, lock);
        const node = cluster.nodes.find((one) => one.name === name);
        if (node !== undefined) return node.end("SIGKILL");
      }
    },
    end: async ({ nodes }) => {
      for (const node of nodes) if (!node.isRunning) await node.start();
    },
  };
}

function nodeFaults(): readonly Fault[] {
  const kill = (at: 0 | 1): Pick<Fault, "begin" | "end" | "stopsNodes" | "kills"> => ({
    stopsNodes: true,
    kills: true,
    begin: ({ nodes }) => nodes[at].end("SIGKILL"),
    end: ({ nodes }) => nodes[at].start(),
  });
  return [
    {
      name: "kill-leader",
      title: "node that leads killed (kill -9)",
      isShort: true,
      ...killHolder("leader"),
    },
    {
      name: "kill-writer",
      title: "node that holds the write lock killed (kill -9)",
      ...killHolder("write"),
    },
    { name: "kill-a", title: "node A killed (kill -9)", isShort: true, ...kill(0) },
    { name: "kill-b", title: "node B killed (kill -9)", ...kill(1) },
    {
      name: "rolling-restart",
      title: "both nodes restarted, one after the other",
      isShort: true,
      stopsNodes: true,
      begin: async ({ nodes }) => {
        for (const node of nodes) {
          await node.end("SIGTERM");
          await node.start();
        }
      },
      end: () => undefined,
    },
    {
      name: "freeze-a",
      title: "node A frozen for 30 s (SIGSTOP)",
      ms: 30_000,
      stopsNodes: true,
      begin: ({ nodes: [a] }) => a.signal("SIGSTOP"),
      end: ({ nodes: [a] }) => a.signal("SIGCONT"),
    },
  ];
}

function storeFaults(store: StoreName): readonly Fault[] {
  const title = titles[store];
  const restore = async ({ proxies }: FaultCluster): Promise<void> => {
    for (const proxy of proxies(store)) await proxy.restore();
  };
  const end = ({ stores }: FaultCluster): Promise<void> => stores.servers[store].startAgain();
  const part = store === "postgres" ? { part: "cluster" } : {};
  return [
    {
      name: `${store}-stopped`,
      title: `${title} stopped`,
      isExamined: true,
      begin: ({ stores }) => stores.servers[store].end(store === "postgres" ? "SIGINT" : "SIGTERM"),
      end,
      ...part,
    },
    {
      name: `${store}-killed`,
      title: `${title} killed`,
      isShort: true,
      // PostgreSQL ends at once on SIGQUIT; after SIGKILL its children hold the port for a while.
      begin: ({ stores }) =>
        stores.servers[store].end(store === "postgres" ? "SIGQUIT" : "SIGKILL"),
      end,
      ...part,
    },
    {
      name: `${store}-frozen`,
      title: `${title} accepts connections and does not respond`,
      isExamined: store === "postgres",
      begin: ({ proxies }) => proxies(store).forEach((proxy) => proxy.freeze()),
      end: restore,
      ...part,
    },
    {
      name: `${store}-slow`,
      title: `${title} ${SLOW_MS} ms later each way`,
      begin: ({ proxies }) => proxies(store).forEach((proxy) => proxy.slow(SLOW_MS)),
      end: restore,
    },
    {
      name: `${store}-split`,
      title: `node A cut off from ${title}`,
      begin: async ({ nodes: [a] }) => a.links.proxies[store].cut(),
      end: async ({ nodes: [a] }) => a.links.proxies[store].restore(),
      ...part,
    },
  ];
}
