// Everything that is done to the cluster.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { checkouts } from "./checkouts.js";
import type { FaultCluster } from "./fault-cluster.js";
import type { Fault } from "./fault.js";
import { hostOf, STORES, type StoreName } from "./stores.js";

const titles = { redis: "Redis", postgres: "PostgreSQL", s3: "S3 server" };
const SLOW_MS = 300;
const GONE = 200;

export const faults: readonly Fault[] = [
  ...nodeFaults(),
  ...STORES.flatMap(storeFaults),
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
    name: "disk-full",
    title: "disk full",
    isShort: true,
    begin: ({ disk }) => disk.fill(),
    end: ({ disk }) => disk.empty(),
  },
  {
    name: "disk-read-only",
    title: "disk read-only",
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

function nodeFaults(): readonly Fault[] {
  const kill = (at: 0 | 1): Pick<Fault, "begin" | "end" | "stopsNodes"> => ({
    stopsNodes: true,
    begin: ({ nodes }) => nodes[at].end("SIGKILL"),
    end: ({ nodes }) => nodes[at].start(),
  });
  return [
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
      title: "node A frozen (SIGSTOP)",
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
  return [
    {
      name: `${store}-stopped`,
      title: `${title} stopped`,
      begin: ({ stores }) => stores.servers[store].end(store === "postgres" ? "SIGINT" : "SIGTERM"),
      end,
    },
    {
      name: `${store}-killed`,
      title: `${title} killed`,
      isShort: true,
      // PostgreSQL ends at once on SIGQUIT; after SIGKILL its children hold the port for a while.
      begin: ({ stores }) =>
        stores.servers[store].end(store === "postgres" ? "SIGQUIT" : "SIGKILL"),
      end,
    },
    {
      name: `${store}-frozen`,
      title: `${title} accepts connections and does not respond`,
      begin: ({ proxies }) => proxies(store).forEach((proxy) => proxy.freeze()),
      end: restore,
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
    },
  ];
}
