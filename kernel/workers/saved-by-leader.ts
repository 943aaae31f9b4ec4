/** Caches on the disk that the leader has and other workers load, so that each does not build its own. */
import { within } from "#lib/concurrency";
import type { Workers } from "../contracts.js";

/** The call that returns the id of the leader, or null. */
export const LEADER = "worker.leader";
/** A reply comes within this time, in ms: saving may take longer than a call may. */
const REPLY_MS = 5_000;
/** Replies that a worker waits for; then it builds what it needs itself. */
const MAX_REPLIES = 24;

/** In the leader: `save` writes what is not on the disk yet. */
export function saveForWorkers(workers: Workers, name: string, save: () => Promise<void>): void {
  let saving: Promise<boolean> | null = null;
  workers.handle(name, () => {
    saving ??= save()
      .then(() => true)
      .finally(() => (saving = null));
    return within(REPLY_MS, saving, () => false);
  });
}

/** Resolves when the leader has saved; at once without workers, in the first one, and when none replies. */
export async function savedByLeader(workers: Workers, name: string): Promise<void> {
  if (workers.isFirst || workers.isLeader) return;
  const leader = await workers.ask("primary", LEADER).catch(() => null);
  if (leader === null) return;
  for (let replies = 0; replies < MAX_REPLIES; replies += 1) {
    const reply = await workers.ask("leader", name).catch(() => true);
    if (reply === true) return;
  }
}
