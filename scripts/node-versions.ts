// Runs the fast tests (no servers, no compiled packages, no long time limits) on the newer Node lines, and those of
// shared jobs, which need one, on all of them at once: some tests wait for timers. The binaries come from npm and
// stay in the cache folder.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { cacheFolder } from "./services/cache-folder.js";
import { runCommand } from "./services/run-command.js";
import { quickFiles } from "./testing/plan-runs.mjs";

const lines = ["22", "24"];
/** Tests that the project's own line of Node.js skips: their package needs a newer one. */
const newerOnly = [
  "test/plugins/postgres/{jobs,index}.test.ts",
  "test/journeys/{postgres,two}-nodes.test.ts",
  "test/docs/compose.test.ts",
];
const root = fileURLToPath(new URL("..", import.meta.url));
const machine = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

const binaries: string[] = [];
for (const line of lines) binaries.push(await nodeBinary(line));
const outputs = await Promise.all(binaries.map((node) => runTests(node)));
for (const output of outputs) process.stdout.write(output);

/** Everything that the tests print, in one piece. */
async function runTests(node: string): Promise<string> {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  const words = [join("scripts", "test.mjs"), ...process.argv.slice(2), ...fastTests()];
  const child = spawn(node, words, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const chunks = [`Node ${stdout.trim()}\n`];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  const [status] = await once(child, "close");
  if (status !== 0) process.exitCode = 1;
  return chunks.join("");
}

function fastTests(): string[] {
  // What a Node version could break: modules, files, HTTP, streams, threads, processes.
  const patterns = [
    "test/kernel/boot/lifecycle.test.ts",
    "test/lib/modules/load-module.test.ts",
    "test/{kernel,lib}/http/{express,express-middleware,read-body,server}.test.ts",
    "test/lib/files/{file-lock,files}.test.ts",
    "test/plugins/{cache,security}/middleware.test.ts",
    "test/plugins/{content,media,session}/index.test.ts",
    "test/plugins/{render,search}/routes.test.ts",
    "test/plugins/{markdown/render,media/engines}/*-{pool,process}.test.ts",
  ];
  const quick = quickFiles(root, globSync(patterns, { cwd: root }));
  return [...quick, ...globSync(newerOnly, { cwd: root })].sort();
}

async function nodeBinary(line: string): Promise<string> {
  const home = cacheFolder("node");
  const cached = join(home, `${line}-${machine}`);
  const binary = join(cached, "node_modules", `node-${machine}`, "bin", "node");
  if (existsSync(binary)) return binary;
  const fresh = mkdtempSync(join(home, "fetch-"));
  writeFileSync(join(fresh, "package.json"), "{}");
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  await runCommand("npm", ["install", ...quiet, `node-${machine}@${line}`], { cwd: fresh });
  if (existsSync(cached)) rmSync(fresh, { recursive: true });
  else renameSync(fresh, cached);
  return binary;
}
