/** The git binary, and the lock files that a killed one left. Runs in Node.js. */
export { Git, type GitOptions, type GitRun, removeStaleLocks } from "./git.js";
