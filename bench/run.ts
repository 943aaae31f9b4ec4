/**
 * `npm run bench`: all benches of this folder in turn, each in a separate process;
 * `npm run bench -- start http` runs those. A bench is a module that writes a section of RESULTS.md.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, isStale } from "../scripts/build.mjs";
import { machine, writeSection } from "./report.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const all = benches();
const named = process.argv.slice(2);
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no bench is named ${JSON.stringify(unknown[0])}; there are ${all.join(", ")}`);
  process.exitCode = 2;
} else {
  if (isStale()) await build();
  await runAll(named.length > 0 ? named : all);
}

async function runAll(names: readonly string[]): Promise<void> {
  await writeSection("machine", machine());
  for (const [at, name] of names.entries()) {
    const from = performance.now();
    console.log(`[${at + 1}/${names.length}] ${name} …`);
    const code = await run(name);
    const seconds = Math.round((performance.now() - from) / 1000);
    console.log(
      `[${at + 1}/${names.length}] ${name} ${code === 0 ? "done" : `failed (${code})`}, ${seconds} s`,
    );
    if (code !== 0) process.exitCode = 1;
  }
}

async function run(name: string): Promise<number> {
  const args = [...process.execArgv, `${folder}${name}.ts`];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

/** Names of the benches, in alphabetical order. */
function benches(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts") && !["report.ts", "run.ts"].includes(file))
    .filter((file) => readFileSync(folder + file, "utf8").includes("writeSection("))
    .map((file) => file.slice(0, -".ts".length))
    .sort();
}
