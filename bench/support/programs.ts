/** Programs to compare: ours as installed, those of others from npm, and what a run of one costs. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../..", import.meta.url));
// Retained between runs, because installing takes longer than measuring.
const installed = join(tmpdir(), "site-bench-peers");

/** Time of a run and its children, in seconds. */
export interface Cost {
  wall: number;
  cpu: number;
}

/** A package of another project. */
export interface Peer {
  /** Has `node_modules`. */
  folder: string;
  /** Why it cannot be measured here, or null. */
  missing: string | null;
}

/** Installs packages of npm together, once. */
export function installPeer(name: string, ...specs: readonly string[]): Peer {
  const folder = join(installed, name);
  const isThere = existsSync(join(folder, ".complete"));
  if (isThere) return { folder, missing: null };
  rmSync(folder, { recursive: true, force: true });
  writeInto(folder, "package.json", '{"private":true,"type":"module"}');
  const { status, stderr } = spawnSync("npm", ["install", "--no-audit", "--no-fund", ...specs], {
    cwd: folder,
    encoding: "utf8",
    timeout: 300_000,
  });
  if (status === 0) writeInto(folder, ".complete", "");
  const reason = stderr.split("\n").find((line) => /error/i.test(line)) ?? "npm failed";
  const what = specs.join(" ");
  return { folder, missing: status === 0 ? null : `npm install ${what}: ${reason.slice(0, 120)}` };
}

/** Our package as installed in `folder`, so that it does not check whether it must be compiled; returns its bin. */
export function installOurs(folder: string): string {
  const root = join(folder, "package");
  for (const part of ["dist", "package.json"]) {
    cpSync(join(here, part), join(root, part), { recursive: true });
  }
  for (const name of ["bin.mjs", "start.mjs", "restore-version.mjs"]) {
    cpSync(join(here, "kernel/cli", name), join(root, "kernel/cli", name));
  }
  symlinkSync(join(here, "node_modules"), join(root, "node_modules"));
  return join(root, "kernel/cli/bin.mjs");
}

/** Runs a command to its end. @throws when it fails. */
export function measure(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): { cost: Cost; stdout: string } {
  const words = command.map((word) => `'${word}'`).join(" ");
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["-c", `TIMEFORMAT='%R %U %S'; time ${words}`],
    {
      cwd,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", ...env },
    },
  );
  if (status !== 0) throw new Error(`${words} ended with ${status}: ${stderr.slice(-500)}`);
  const [wall = 0, user = 0, system = 0] = (stderr.trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number);
  return { cost: { wall, cpu: user + system }, stdout };
}

/** Writes a file below a folder. */
export function writeInto(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
