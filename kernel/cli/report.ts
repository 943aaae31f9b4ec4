import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, relative } from "node:path";
import { CommanderError } from "commander";
import { SiteError, errorCode } from "#lib/errors";
import { formatProblem } from "#lib/values";
import { ConfigError } from "../config/problem.js";
import type { Output, CommandInput } from "../contracts.js";
import { authorPlaceOf, firstCause, formatPosition, stackOf } from "#lib/modules";

/** Errors of the file system that its owner fixes: what they mean, and the fix if it is the same for all paths. */
const DISK: Readonly<Record<string, { text: string; fix: string | null }>> = {
  EACCES: { text: "permission denied", fix: null },
  EPERM: { text: "permission denied", fix: null },
  EROFS: { text: "the file system is read-only", fix: "mount it for writing" },
  ENOSPC: { text: "the disk is full", fix: "free some space" },
  EDQUOT: { text: "the quota is used up", fix: "free some space" },
};

/** Prints where the author's code failed, with the stack of the root cause. */
function printPosition(error: SiteError, out: Output): void {
  const place = authorPlaceOf(error);
  // A message about a file may name the place already.
  if (place === null || error.message.includes(formatPosition(place))) return;
  out.error(`  ${out.colour.cyan("at:")} ${formatPosition(place)}`);
  if (!(error.cause instanceof Error)) return;
  const stack = stackOf(error);
  // Without a frame it repeats the message and the position.
  if (!stack.some((line) => line.startsWith("    "))) return;
  for (const line of stack) out.error(out.colour.dim(`  ${line}`));
}

/** The message and the fix of an error of the file system or the network; null for any other error. */
export function machineProblem(error: unknown): { message: string; fix: string } | null {
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
  if (meaning === undefined || !("path" in cause)) return null;
  const path = String(cause.path);
  const message = `${pathFromHere(path)} cannot be written or read: ${meaning.text}`;
  return { message, fix: meaning.fix ?? permissionFix(path) };
}

/** The command that lets this process use `path`: its owner changes the mode, any other user the owner. */
function permissionFix(path: string): string {
  const refused = refusedPath(path);
  const place = quotedPath(pathFromHere(refused));
  const isOwn = statSync(refused, { throwIfNoEntry: false })?.uid === process.getuid?.();
  return isOwn
    ? `let its owner read and write it: chmod -R u+rwX ${place}`
    : `let the user of the server write it: sudo chown -R "$(id -un)" ${place}`;
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

/** Prints a wrong word of a command line as any other failure; help and version are printed already. */
function reportUsage({ code, exitCode, message }: CommanderError, out: Output): number {
  if (exitCode === 0) return 0;
  if (code !== "commander.help") {
    const { red, cyan } = out.colour;
    const [wrong = "", hint] = message.replace(/^error: /, "").split("\n");
    const guess = /^\(Did you mean (.*)\?\)$/.exec(hint ?? "")?.[1];
    const help = "run site --help for the commands, site <command> --help for the options of one";
    out.error(`${red("✗")} ${wrong}`);
    out.error(`  ${cyan("fix:")} ${guess === undefined ? help : `did you mean ${guess}?`}`);
  }
  return 2;
}

/**
 * Prints a failure by its kind, and returns the exit code. `exitCode` applies to a coded error that has
 * none. An error with an exit code is a mistake on the command line: its place in the code is not printed.
 */
export function report(error: unknown, out: Output, exitCode?: number): number {
  if (error instanceof CommanderError) return reportUsage(error, out);
  const { red, dim, cyan } = out.colour;
  if (error instanceof ConfigError) {
    out.error(`${red("✗")} the configuration has problems`);
    for (const problem of error.problems) out.error(`  ${formatProblem(problem)}`);
    return 1;
  }
  if (error instanceof SiteError) {
    out.error(`${red("✗")} ${error.message} ${dim(error.code)}`);
    if (error.fix !== undefined) out.error(`  ${cyan("fix:")} ${error.fix}`);
    const code = error.exitCode ?? exitCode;
    if (code === undefined) printPosition(error, out);
    out.error(`  ${dim(`more: site errors:explain ${error.code}`)}`);
    return code ?? 1;
  }
  const problem = machineProblem(error);
  if (problem !== null) {
    out.error(`${red("✗")} ${problem.message}`);
    out.error(`  ${cyan("fix:")} ${problem.fix}`);
    return 1;
  }
  const [first = "", ...frames] = stackOf(error);
  out.error(`${red("✗")} ${first}`);
  for (const line of frames) out.error(dim(line));
  return 1;
}

/** A path for people in the current folder: relative to it when that is shorter. `path`: absolute. */
export function pathFromHere(path: string): string {
  const near = relative(process.cwd(), path) || ".";
  return near.length < path.length ? near : path;
}

/** A path as an argument of a shell command, quoted where it has to be. */
export function quotedPath(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/**
 * Runs a command and returns its exit code. A coded error is reported; its exit code is its
 * own, else `codeOf`, by default 2. @throws all other errors.
 */
export async function exitCode(
  { out }: Pick<CommandInput, "out">,
  run: () => Promise<number>,
  codeOf: (error: SiteError) => number = () => 2,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    return report(error, out, codeOf(error));
  }
}
