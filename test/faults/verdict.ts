// What a fault did: nothing confirmed may be lost, and each confirmed page is announced.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FaultCluster } from "./fault-cluster.js";
import type { Fault } from "./fault.js";
import type { OpenDeliveries } from "./open-deliveries.js";
import type { ContestTally, Load } from "./load.js";

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
  /** Confirmed pages without a delivery, 20 s after the last delivery of any page. */
  readonly unannounced: readonly string[];
  /** Confirmed pages with deliveries of more than one id. */
  readonly announcedTwice: number;
  /** Saves of one version through all nodes at once. */
  readonly contest: ContestTally;
  /** What was seen while the fault lasted. */
  readonly during: Observed;
  /** From the end of the fault until health is `ok` on all nodes, in ms; null: not within 20 s. */
  readonly healthyMs: number | null;
  /** The problems after these 20 s. */
  readonly unhealthy: readonly string[];
  /** From the end of a node until the deliveries that were under way on it were repeated, in ms; null: none were. */
  readonly takenOverMs: number | null;
}
/** What was seen while a fault lasted. */
export interface Observed {
  /** Per node: the problems of its health, `part: problem`; null: no response. */
  readonly health: readonly (readonly string[] | null)[];
  /** What `doctor` found beyond the usual; null: it was not run. */
  readonly doctor: readonly string[] | null;
}
/** What a fault did, and when. */
interface FaultRecord {
  readonly load: Load;
  readonly fault: Fault;
  /** Deliveries that were under way; null: the fault ends no node. */
  readonly held: OpenDeliveries | null;
  /** Of `performance.now()`. */
  readonly times: { readonly began: number; readonly ended: number };
  readonly during: Observed;
}

/** Waits until everything confirmed is served and announced; then what is not stays lost. */
export async function judge(
  cluster: FaultCluster,
  { load, fault, times, during, held }: FaultRecord,
): Promise<Outcome> {
  const { reads, writes, contest } = load;
  const { confirmed } = writes;
  const unhealthy = await unhealthyNodes(cluster);
  const healthyMs = unhealthy.length > 0 ? null : Math.round(performance.now() - times.ended);
  const lost = await settled(() => missing(cluster, confirmed));
  const unannounced = await settled(
    async () => {
      const known = deliveries(cluster);
      return confirmed.filter((name) => !known.has(name));
    },
    // They may stand behind thousands of other deliveries, such as those of a checkout.
    () => cluster.receiver.received.length,
  );
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
    contest,
    during,
    healthyMs,
    unhealthy,
    takenOverMs: held?.takenOver() ?? null,
  };
}

/** What else is promised. */
interface Expectations {
  /** True: the times too, on a machine that does little else. */
  readonly isTimed: boolean;
  /** True: other nodes run the jobs of one that has ended. */
  readonly sharesJobs?: boolean;
}

/** Sentences about everything that breaks a promise. */
export function problemsOf(
  outcome: Outcome,
  { isTimed, sharesJobs = false }: Expectations,
): readonly string[] {
  const { failedReads, wrong, lost, unannounced, unanswered, backMs, fault, during, takenOverMs } =
    outcome;
  const named = during.health.flatMap((problems) => problems ?? []);
  const some = (what: string, list: readonly string[]): string[] =>
    list.length === 0 ? [] : [`${list.length} ${what}: ${list.slice(0, 3).join("; ")}`];
  return [
    ...some("public requests failed", failedReads),
    ...some("writes responded wrongly", wrong),
    ...some("confirmed pages are lost", lost),
    ...(fault.losesJobs === true ? [] : some("confirmed pages were not announced", unannounced)),
    ...(unanswered > 0 && fault.stopsNodes !== true
      ? [`${unanswered} writes got no response`]
      : []),
    ...some("rounds with If-Match had two winners", outcome.contest.twice),
    ...(fault.part !== undefined && !named.some((problem) => problem.startsWith(`${fault.part}: `))
      ? [`no health names ${fault.part}: ${named.join("; ") || "ok"}`]
      : []),
    ...some("problems in health after it", outcome.unhealthy),
    ...(sharesJobs && takenOverMs !== null && takenOverMs > (isTimed ? BACK_MS : SETTLE_MS)
      ? [`jobs of the dead node were taken over after ${takenOverMs} ms`]
      : []),
    ...(backMs === null ? ["a node did not write again"] : []),
    ...(isTimed && backMs !== null && backMs > BACK_MS ? [`writes again after ${backMs} ms`] : []),
  ];
}

/** What health reports on any node once it has had time to become `ok`. */
function unhealthyNodes({ nodes }: FaultCluster): Promise<readonly string[]> {
  return settled(async () => {
    const all = await Promise.all(nodes.map((node) => node.problems()));
    return all.flatMap((problems) => problems ?? ["no response"]);
  });
}

/** When every node had confirmed a write again. */
export function backAfter({ nodes }: FaultCluster, { writes }: Load, ended: number): number | null {
  const first = nodes.map(({ name }) => writes.confirmedAt.get(name)?.find((at) => at >= ended));
  const times = first.filter((at) => at !== undefined);
  return times.length < nodes.length ? null : Math.round(Math.max(...times) - ended);
}

/** What `look` finds once it finds nothing, or after 20 s in which `progress` stays the same. */
async function settled(
  look: () => Promise<readonly string[]>,
  progress: () => number = () => 0,
): Promise<readonly string[]> {
  let [seen, since] = [progress(), performance.now()];
  for (;;) {
    const found = await look();
    if (progress() !== seen) [seen, since] = [progress(), performance.now()];
    if (found.length === 0 || performance.now() > since + SETTLE_MS) return found;
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
