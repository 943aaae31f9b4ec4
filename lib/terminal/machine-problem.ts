import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "#lib/errors";
import { firstCause } from "#lib/modules";
import { pathFromHere, quotedPath } from "./output.js";

/** Errors of the file system that its owner fixes: what they mean, and the fix if it is the same for all paths. */
const DISK: Readonly<Record<string, { text: string; fix: string | null }>> = {
  EACCES: { text: "permission denied", fix: null },
  EPERM: { text: "permission denied", fix: null },
  EROFS: { text: "the file system is read-only", fix: "mount it for writing" },
  ENOSPC: { text: "the disk is full", fix: "free some space" },
  EDQUOT: { text: "the quota is used up", fix: "free some space" },
};

/** A failure of the machine that its owner fixes. */
export interface MachineProblem {
  readonly message: string;
  readonly fix: string;
}

/** The message and the fix of an error of the file system or the network; null for any other error. */
export function machineProblem(error: unknown): MachineProblem | null {
  const cause = firstCause(error);
  const code = errorCode(cause);
  if (!(cause instanceof Error)) return null;
  if ("syscall" in cause && cause.syscall === "listen") {
    const address = "address" in cause ? String(cause.address) : "";
    const port = "port" in cause ? `:${String(cause.port)}` : "";
    const message = `the server cannot listen on ${address}${port}: ${code}`;
    const fix = "choose an address of this machine with --host, and a port above 1023 with --port";
    return { message, fix };
  }
  const meaning = DISK[code];
  if (meaning === undefined) return null;
  // A write to an open file does not name it.
  if (!("path" in cause)) {
    const message = `a file of the site cannot be written: ${meaning.text}`;
    return meaning.fix === null ? null : { message, fix: meaning.fix };
  }
  const path = String(cause.path);
  const message = `${pathFromHere(path)} cannot be written or read: ${meaning.text}`;
  return { message, fix: meaning.fix ?? permissionFix(path) };
}

/** The command that lets this process use `path`: its owner changes the mode, any other user the owner. */
function permissionFix(path: string): string {
  const refused = refusedPath(path);
  const shown = quotedPath(pathFromHere(refused));
  const isOwn = statSync(refused, { throwIfNoEntry: false })?.uid === process.getuid?.();
  return isOwn
    ? `let its owner read and write it: chmod -R u+rwX ${shown}`
    : `let the user of the server write it: sudo chown -R "$(id -un)" ${shown}`;
}

/** The file or folder that refused the access to `path`. */
function refusedPath(path: string): string {
  // A file that can be written, but not removed or renamed: its folder refuses that.
  if (existsSync(path)) return isOpen(path) ? dirname(path) : path;
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? parent : refusedPath(parent);
}

function isOpen(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
