import { spawn } from "node:child_process";

const LONGEST_MS = 60_000;

/** What git prints; rejects with its first line of complaint. */
export function git(
  root: string,
  args: readonly string[],
  input: Buffer | string = "",
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: root, timeout: LONGEST_MS };
    const child = spawn("git", ["-c", "core.quotePath=false", ...args], options);
    const [out, complaints]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) return resolve(Buffer.concat(out).toString());
      const said = Buffer.concat(complaints).toString().trim().split("\n")[0] ?? "";
      return reject(new Error(said === "" ? `git ${args[0] ?? ""} ended with ${code}` : said));
    });
    // A git that ends early closes its input; its exit code says why.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
