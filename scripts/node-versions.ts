// Runs the fast tests (no servers, no compiled packages, no long time limits) on the newer Node lines.
// The binaries come from npm and stay in the cache folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { cacheFolder } from "./services/cache-folder.js";
import { runCommand } from "./services/run-command.js";

const lines = ["22", "24"];
const slow = /support\/services\.js|timeout\(120_000\)/;
const root = fileURLToPath(new URL("..", import.meta.url));
const machine = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

for (const line of lines) {
  const node = await nodeBinary(line);
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  console.log(`Node ${stdout.trim()}`);
  const { status } = spawnSync(
    node,
    [join("scripts", "test.mjs"), ...process.argv.slice(2), ...fastTests()],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  if (status !== 0) process.exitCode = 1;
}

function fastTests(): string[] {
  // The public behaviour of the parts that a Node version could break: modules, files, HTTP, streams,
  // threads, processes.
  const plugins =
    "cache,content,feeds,flex,health,media,pages,render,search,security,session,users";
  const patterns = [
    "test/kernel/{boot,files,http,jobs}/**/*.test.ts",
    `test/plugins/{${plugins}}/{index,routes,service,middleware}*.test.{ts,tsx}`,
    `test/plugins/{${plugins}}/routes/**/*.test.{ts,tsx}`,
    "test/plugins/{markdown/render,media/engines}/*-{pool,process}.test.ts",
  ];
  return globSync(patterns, { cwd: root })
    .filter((file) => !slow.test(readFileSync(join(root, file), "utf8")))
    .sort();
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
