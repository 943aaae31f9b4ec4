/** A process that serves alone, and what plugins do as one of several workers: see `site.runtime.workers`. */
import { within } from "#lib/concurrency";
import { HttpError } from "#lib/errors";
import type { Workers } from "./contracts.js";

/** A reply comes within this time, in ms: saving may take longer than a call may. */
const REPLY_MS = 5_000;
/** Replies that a worker waits for; then it builds what it needs itself. */
const MAX_REPLIES = 24;

/** A process without workers: it leads, and answers itself. */
export function singleProcess(): Workers {
  const handlers = new Map<string, (input: unknown) => unknown>();
  return {
    id: 0,
    isFirst: true,
    isLeader: true,
    all: [],
    whenLeader: (work) => work(),
    leader: () => Promise.resolve(null),
    async ask(_to, name, input) {
      const handler = handlers.get(name);
      if (handler === undefined) throw silentWorker(name);
      return handler(input);
    },
    askOthers: () => Promise.resolve([]),
    handle: (name, work) => void handlers.set(name, work),
  };
}

/** The error of a call without a reply. */
export function silentWorker(name: string): HttpError {
  return new HttpError(503, `no worker answers ${JSON.stringify(name)}`, {
    code: "ERR_WORKERS_SILENT",
    headers: { "Retry-After": "2" },
    fix: "try again: the primary process replaces workers that end",
  });
}

/**
 * In the leader, which has a cache on the disk that other workers load: `save` writes what is not on the disk
 * yet.
 */
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
  const leader = await workers.leader().catch(() => null);
  if (leader === null) return;
  for (let replies = 0; replies < MAX_REPLIES; replies += 1) {
    const reply = await workers.ask("leader", name).catch(() => true);
    if (reply === true) return;
  }
}
