/** The git binary, and the lock files that a killed one left. Runs in Node.js. */
export { Git, type GitOptions, type GitRun } from "./git.js";
export {
  GIT_LOCK_FIX,
  type GitLock,
  gitLockCheck,
  listLocks,
  type LockedRepository,
  removeStaleLocks,
  staleLocks,
  type StaleLockOptions,
} from "./locks.js";
