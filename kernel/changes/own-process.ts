import type { ChangeAnnouncer, WriteLock } from "../contracts.js";

/** The engines of a site that one process serves: it queues its own writes, and announces everything. */
export const ownProcess: { writeLock: WriteLock; changeAnnouncer: ChangeAnnouncer } = {
  writeLock: { run: (work) => work(() => undefined) },
  changeAnnouncer: { announce: (batch) => Promise.resolve([batch]) },
};
