/** npm as a child process: it uses the `.npmrc` of a folder, and never runs scripts of packages. */
import { execFile, type ExecFileException } from "node:child_process";
import { upgradeError } from "./errors.js";

const LIMIT_MS = 10 * 60_000;
const MAX_OUTPUT = 64 * 1_048_576;
const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"];
/** Exit code of a shell for a missing command. */
const NOT_FOUND = 127;

/**
 * Runs npm, and kills it when standard input closes, which happens at the latest when this process is killed. npm would
 * write its lock after the next start has restored the former version.
 */
const RUNNER = `
const { spawn } = require("node:child_process");
const child = spawn("npm", process.argv.slice(1), { stdio: ["ignore", "inherit", "inherit"] });
const end = () => child.kill("SIGKILL");
process.stdin.on("end", end).on("error", end).resume();
process.on("SIGTERM", end);
child.on("error", ({ code }) => process.exit(code === "ENOENT" ? ${NOT_FOUND} : 1));
child.on("exit", (code) => process.exit(code ?? 1));
`;

/** Runs npm in `folder`; resolves with its output. @throws ERR_UPGRADE_NPM. */
export function npm(folder: string, [command = "", ...args]: readonly string[]): Promise<string> {
  // Without a prefix, npm looks for a package.json further up.
  const all = [command, "--prefix", folder, ...QUIET, "--loglevel=error", ...args];
  const options = { cwd: folder, timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ["-e", RUNNER, "--", ...all], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(npmFailure(command, error, stderr));
    });
  });
}

function npmFailure(command: string, error: ExecFileException, stderr: string) {
  if (error.code === NOT_FOUND) {
    return upgradeError("ERR_UPGRADE_NPM", "npm is not installed", {
      fix: "install Node.js with npm",
    });
  }
  const lines = stderr.replaceAll(/^npm (?:error|ERR!) ?/gm, "").split("\n");
  const first =
    lines.find((line) => line.trim() !== "" && !line.startsWith("code ")) ?? "no output";
  return upgradeError("ERR_UPGRADE_NPM", `npm ${command} failed: ${first}`, {
    fix: "fix the reported problem and run the command again",
  });
}
