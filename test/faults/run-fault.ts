// One fault: load before, during and after it, and what that saw.
import { setTimeout as delay } from "node:timers/promises";
import type { FaultCluster } from "./fault-cluster.js";
import type { Fault } from "./fault.js";
import { Load } from "./load.js";
import { backAfter, judge, type Outcome } from "./verdict.js";

const BEFORE_MS = 1_000;
/** Writers that have not been back for this long are given up. */
const AFTER_MS = 30_000;

/** `ms`: how long the fault lasts once it has begun. */
export async function runFault(
  cluster: FaultCluster,
  fault: Fault,
  { ms, say = () => undefined }: { ms: number; say?: (text: string) => void },
): Promise<Outcome> {
  say(`${fault.name}: ${fault.title}`);
  const load = new Load(cluster.nodes, fault.name);
  await load.start();
  await delay(BEFORE_MS);
  const began = performance.now();
  await fault.begin(cluster);
  await delay(ms);
  await fault.end(cluster);
  const ended = performance.now();
  say("  over");
  const latest = performance.now() + AFTER_MS;
  while (backAfter(cluster, load, ended) === null && performance.now() < latest) await delay(50);
  await load.stop();
  say("  load stopped");
  return judge(cluster, { load, fault, times: { began, ended } });
}
