/** Runs the installed command `site` as a process: after a swap that is the other version. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { upgradeError, type upgradeErrors } from "../errors.js";
import type { Installation } from "../installation.js";

const MAX_OUTPUT = 16 * 1_048_576;
/** Lines of a failed command that are quoted. */
const MAX_LINES = 12;

/** A command to run on a site root. */
export interface SiteRun {
  readonly root: string;
  readonly args: readonly string[];
  readonly limitMs: number;
  /** The error when it fails. */
  readonly code: keyof typeof upgradeErrors;
  readonly message: string;
  readonly fix: string;
  /** True: exit code 1 is a result too, when JSON was printed. */
  readonly mayDisagree?: boolean;
}

/** Resolves with the JSON that the command prints. @throws an error with the given code. */
export function runSite(
  { packageFolder, home }: Pick<Installation, "packageFolder" | "home">,
  { root, args, limitMs, code, message, fix, mayDisagree = false }: SiteRun,
): Promise<unknown> {
  const bin = join(packageFolder, "kernel", "cli", "bin.mjs");
  const all = [bin, ...args, "--json", "--root", root];
  const options = {
    cwd: home,
    timeout: limitMs,
    maxBuffer: MAX_OUTPUT,
    killSignal: "SIGKILL",
  } as const;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, all, options, (error, stdout, stderr) => {
      const isResult = error === null || (mayDisagree && error.code === 1);
      const result = isResult ? jsonIn(stdout) : null;
      if (result !== null) return resolve(result);
      const reason =
        error?.killed === true ? `no result within ${limitMs / 1_000} s` : quoted(stderr);
      reject(upgradeError(code, `${message}: ${reason}`, { fix }));
    });
  });
}

/** Null for a text that is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function quoted(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !/^\s+more: /.test(line));
  return lines.slice(0, MAX_LINES).join("\n") || "no output";
}
