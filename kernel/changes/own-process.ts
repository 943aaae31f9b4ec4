import type { ChangeAnnouncer, Jobs, WriteLock } from "../contracts.js";

/** The engines of a site without other nodes: the process queues its own writes. */
export const ownProcess: { writeLock: WriteLock; changeAnnouncer: ChangeAnnouncer } = {
  writeLock: { run: (work) => work(() => undefined) },
  changeAnnouncer: { announce: () => Promise.resolve(null) },
};

/**
 * Whether this process announces what it finds while no cluster decides. Several processes of one site root
 * find each change; the one that runs its jobs announces it. Servers that share their jobs have roots of
 * their own, and each serves one.
 */
export function announcesForRoot(
  jobs: Pick<Jobs, "isShared" | "claim">,
  isServing: boolean,
): Promise<boolean> {
  return jobs.isShared && isServing ? Promise.resolve(true) : jobs.claim();
}
