import { spawn } from "node:child_process";

const MAX_MS = 60_000;

/** The output of git; rejects with the first line of its error message. */
export function git(
  root: string,
  args: readonly string[],
  input: Buffer | string = "",
): Promise<string> {
  return new Promise((resolve, reject) => {
    // The timer of spawn's `timeout` stays when git cannot be started, and keeps the process alive.
    const signal = AbortSignal.timeout(MAX_MS);
    const options = { cwd: root, signal };
    const child = spawn("git", ["-c", "core.quotePath=false", ...args], options);
    const [out, complaints]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
    child.once("error", (error) => {
      const took = `git ${args[0] ?? ""} took longer than ${MAX_MS / 1000} s`;
      reject(signal.aborted ? new Error(took) : error);
    });
    child.once("close", (code) => {
      if (code === 0) return resolve(Buffer.concat(out).toString());
      const said = Buffer.concat(complaints).toString().trim().split("\n")[0] ?? "";
      return reject(new Error(said === "" ? `git ${args[0] ?? ""} ended with ${code}` : said));
    });
    // Git closes its input when it exits early; the exit code has the reason.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
