/** The primary process keeps what workers of one server share, as PostgreSQL does for several machines. */
import { within } from "#lib/concurrency";
import type { PrimaryHub } from "../../workers/contract.js";

/** Longest wait for other workers to apply a message, in ms. */
const APPLIED_MS = 1_000;

/** Registers the hub's calls: `cluster.*`. */
export default function clusterPart(hub: PrimaryHub): void {
  /** The records of the workers that have joined: one that starts or hangs delays no other. */
  const nodes = new Map<number, unknown>();
  let writer: number | null = null;
  const mayWrite = (worker: number): boolean => writer === null || writer === worker;
  const unlock = (worker: number): void => {
    if (writer === worker) writer = null;
  };
  const leave = (worker: number): void => {
    nodes.delete(worker);
    unlock(worker);
  };
  hub.handle("cluster.lock", (_input, worker) => {
    if (!mayWrite(worker)) return false;
    writer = worker;
    return true;
  });
  hub.handle("cluster.isFree", (_input, worker) => mayWrite(worker));
  hub.handle("cluster.unlock", (_input, worker) => unlock(worker));
  hub.handle("cluster.show", (node, worker) => void nodes.set(worker, node));
  hub.handle("cluster.nodes", () =>
    [...nodes].map(([worker, node]) => ({ node, isLeader: worker === hub.leader })),
  );
  hub.handle("cluster.send", async (packet, worker) => {
    const others = [...nodes.keys()].filter((id) => id !== worker);
    const applied = Promise.allSettled(others.map((id) => hub.tell(id, "cluster.take", packet)));
    await within(APPLIED_MS, applied, () => undefined);
  });
  hub.handle("cluster.leave", (_input, worker) => leave(worker));
  hub.onLeft(leave);
}
