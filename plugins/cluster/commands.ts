import { setTimeout as sleep } from "node:timers/promises";
import { SiteError, type Command } from "#kernel";
import { formatTable } from "#lib/terminal";
import type { ClusterNode, ClusterService, ClusterStatus } from "./contract.js";

/** A connection on a busy machine may take longer than the limit of one call. */
const ATTEMPTS = 8;
/** Pause between two attempts, in ms. */
const PAUSE_MS = 500;

/** `site cluster:status`. */
export function statusCommand(): Command {
  return {
    name: "cluster:status",
    summary: "list the nodes of the cluster, their leader, lag, version and configuration",
    options: [["--json", "print JSON"]],
    async run({ options, site, out }) {
      const cluster = (await site()).use("cluster", { optional: true });
      if (cluster === undefined) {
        throw new SiteError("ERR_CLUSTER_OFF", "the cluster is off", {
          fix: "set cluster.enabled in system.yaml",
        });
      }
      const status = await readStatus(cluster, ATTEMPTS);
      if (options["json"] === true) out.json(status);
      else for (const line of formatLines(status)) out.line(line);
      return 0;
    },
  };
}

async function readStatus(cluster: ClusterService, attempts: number): Promise<ClusterStatus> {
  try {
    return await cluster.status();
  } catch (error) {
    if (attempts <= 1) throw error;
    await sleep(PAUSE_MS);
    return readStatus(cluster, attempts - 1);
  }
}

function formatLines({ nodes }: ClusterStatus): string[] {
  if (nodes.length === 0) return ["no node is running"];
  const rows = [
    ["NODE", "ROLE", "LAG", "VERSION", "DIGEST", "CONTENT", "SINCE"],
    ...nodes.map(toCells),
  ];
  const lines = formatTable(rows);
  const isSame = new Set(nodes.map(({ digest }) => digest)).size === 1;
  return isSame ? lines : [...lines, "the nodes differ in plugins or configuration"];
}

function toCells({ name, isLeader, lag, version, digest, content, since }: ClusterNode): string[] {
  return [name, isLeader ? "leader" : "follower", String(lag), version, digest, content, since];
}
