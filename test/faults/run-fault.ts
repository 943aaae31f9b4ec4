// One fault: load before, during and after it, and what that saw.
import { setTimeout as delay } from "node:timers/promises";
import type { FaultCluster } from "./fault-cluster.js";
import type { Fault } from "./fault.js";
import { OpenDeliveries } from "./open-deliveries.js";
import { Load } from "./load.js";
import { backAfter, judge, type Outcome } from "./verdict.js";

const BEFORE_MS = 1_000;
/** Writers that have not been back for this long are given up. */
const AFTER_MS = 30_000;
/** Between requests to health, as of a monitor. */
const HEALTH_PAUSE_MS = 1_000;

/** How the run treats a fault. */
export interface FaultRun {
  /** How long it lasts once it has begun, unless it says so itself. */
  readonly ms: number;
  /** What `doctor` finds without a fault; undefined: the command is not run. */
  readonly usual?: readonly string[] | undefined;
  readonly say?: (text: string) => void;
}

export async function runFault(
  cluster: FaultCluster,
  fault: Fault,
  { ms, usual, say = () => undefined }: FaultRun,
): Promise<Outcome> {
  say(`${fault.name}: ${fault.title}`);
  const { nodes } = cluster;
  const load = new Load(nodes, fault.name);
  await load.start();
  await delay(BEFORE_MS);
  const held = fault.kills === true ? new OpenDeliveries(cluster.receiver) : null;
  if (held !== null) await delay(BEFORE_MS);
  const times = { began: performance.now(), ended: 0 };
  await fault.begin(cluster);
  await held?.release();
  const diagnosis = usual === undefined || fault.isExamined !== true ? null : nodes[1].doctor();
  const over = performance.now() + (fault.ms ?? ms);
  let health = await healthOf(cluster);
  while (performance.now() < over) {
    await delay(Math.min(HEALTH_PAUSE_MS, Math.max(0, over - performance.now())));
    health = await healthOf(cluster);
  }
  const found = await diagnosis;
  await fault.end(cluster);
  times.ended = performance.now();
  say("  over");
  const latest = performance.now() + AFTER_MS;
  while (backAfter(cluster, load, times.ended) === null && performance.now() < latest) {
    await delay(50);
  }
  await load.stop();
  say("  load stopped");
  const during = {
    health,
    doctor: found?.filter((line) => !usual?.includes(line)) ?? null,
  };
  return judge(cluster, { load, fault, times, during, held });
}

function healthOf({ nodes }: FaultCluster): Promise<Outcome["during"]["health"]> {
  return Promise.all(nodes.map((node) => node.problems()));
}
