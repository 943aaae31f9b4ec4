// What a fault did: nothing confirmed may be lost, and each confirmed page is announced.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FaultCluster } from "./fault-cluster.js";
import type { Fault } from "./fault.js";
import type { Load } from "./load.js";

const SETTLE_MS = 20_000;
/** Back to work after the end of a fault, in ms: the promise of the documentation. */
const BACK_MS = 5_000;

/** A row of the table. */
export interface Outcome {
  readonly fault: Fault;
  /** Duration of the fault. */
  readonly seconds: number;
  readonly reads: number;
  readonly failedReads: readonly string[];
  readonly longestReadMs: number;
  readonly longestRead: string;
  readonly confirmed: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly wrong: readonly string[];
  /** From the end of the fault to the first confirmed write of the last node, in ms; null: none. */
  readonly backMs: number | null;
  /** Confirmed pages without a file, or missing on a node. */
  readonly lost: readonly string[];
  /** Confirmed pages without a delivery. */
  readonly unannounced: readonly string[];
  /** Confirmed pages with deliveries of more than one id. */
  readonly announcedTwice: number;
}

/** Waits until everything confirmed is served and announced; then what is not stays lost. */
export async function judge(
  cluster: FaultCluster,
  { load, fault, times }: { load: Load; fault: Fault; times: { began: number; ended: number } },
): Promise<Outcome> {
  const { reads, writes } = load;
  const { confirmed } = writes;
  const lost = await settled(() => missing(cluster, confirmed));
  const unannounced = await settled(async () => {
    const known = deliveries(cluster);
    return confirmed.filter((name) => !known.has(name));
  });
  const ids = deliveries(cluster);
  return {
    fault,
    seconds: (times.ended - times.began) / 1000,
    reads: reads.count,
    failedReads: reads.failed,
    longestReadMs: reads.longestMs,
    longestRead: reads.longest,
    confirmed: confirmed.length,
    refused: writes.refused,
    unanswered: writes.unanswered,
    wrong: writes.wrong,
    lost,
    unannounced,
    backMs: backAfter(cluster, load, times.ended),
    announcedTwice: confirmed.filter((name) => (ids.get(name)?.size ?? 0) > 1).length,
  };
}

/** Sentences about everything that breaks a promise. */
export function problemsOf(outcome: Outcome, { isTimed }: { isTimed: boolean }): readonly string[] {
  const { failedReads, wrong, lost, unannounced, unanswered, backMs, fault } = outcome;
  const some = (what: string, list: readonly string[]): string[] =>
    list.length === 0 ? [] : [`${list.length} ${what}: ${list.slice(0, 3).join("; ")}`];
  return [
    ...some("public requests failed", failedReads),
    ...some("writes responded wrongly", wrong),
    ...some("confirmed pages are lost", lost),
    ...some("confirmed pages were not announced", unannounced),
    ...(unanswered > 0 && fault.stopsNodes !== true
      ? [`${unanswered} writes got no response`]
      : []),
    ...(backMs === null ? ["a node did not write again"] : []),
    ...(isTimed && backMs !== null && backMs > BACK_MS ? [`writes again after ${backMs} ms`] : []),
  ];
}

/** When every node had confirmed a write again. */
export function backAfter({ nodes }: FaultCluster, { writes }: Load, ended: number): number | null {
  const first = nodes.map(({ name }) => writes.confirmedAt.get(name)?.find((at) => at >= ended));
  const times = first.filter((at) => at !== undefined);
  return times.length < nodes.length ? null : Math.round(Math.max(...times) - ended);
}

async function settled(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const found = await look();
    if (found.length === 0 || performance.now() > end) return found;
    await delay(250);
  }
}

async function missing(cluster: FaultCluster, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name: node, url } of cluster.nodes) {
    const routes = await routesOf(url);
    for (const name of names) {
      if (!existsSync(join(cluster.content, `03.notes/${name}/default.md`))) {
        found.push(`${name} has no file`);
      } else if (!routes.has(`/notes/${name}`)) found.push(`${name} is not on node ${node}`);
    }
  }
  return found;
}

async function routesOf(url: string): Promise<ReadonlySet<string>> {
  const routes = new Set<string>();
  for (let offset = 0; ; offset += 100) {
    const response = await fetch(`${url}/api/pages?limit=100&offset=${offset}`);
    const { items } = (await response.json()) as { items: readonly { route: string }[] };
    for (const { route } of items) routes.add(route);
    if (items.length < 100) return routes;
  }
}

/** Title of a page to the ids of its deliveries. */
function deliveries({ receiver }: FaultCluster): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.received) {
    const { payload } = JSON.parse(String(body)) as { payload: { title: string } };
    const id = String(headers["webhook-id"]);
    found.set(payload.title, (found.get(payload.title) ?? new Set()).add(id));
  }
  return found;
}
