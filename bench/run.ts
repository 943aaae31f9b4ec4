/**
 * `npm run bench`: all benches in the folders beside this file in turn, each in a separate process;
 * `npm run bench -- start http` runs those. A bench is a module that writes a section of RESULTS.md.
 * `npm run bench -- --against main` compares the working tree with another state and prints ratios (against/).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { build, isStale } from "../scripts/build.mjs";
import { messageOf } from "#lib/errors";
import { compareAgainst, comparisonNames } from "./against/against.js";
import { parseBenchArguments, type BenchRequest } from "./against/comparison.js";
import { machine, writeSection } from "./support/report.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const all = benches();
const request = parsed(process.argv.slice(2));
if (request?.kind === "benches") {
  if (isStale()) await build();
  await runAll(request.names);
} else if (request !== null) {
  await compareAgainst(request.ref, request.names, request.rounds).catch((error: unknown) => {
    console.error(`bench: ${messageOf(error)}`);
    process.exitCode = 1;
  });
}

/** The request; null after an invalid one, which is reported with exit code 2. */
function parsed(args: readonly string[]): BenchRequest | null {
  try {
    return parseBenchArguments(args, [...all.keys()], comparisonNames);
  } catch (error) {
    console.error(`bench: ${messageOf(error)}`);
    process.exitCode = 2;
    return null;
  }
}

async function runAll(names: readonly string[]): Promise<void> {
  await writeSection("machine", machine());
  for (const [at, name] of names.entries()) {
    const from = performance.now();
    console.log(`[${at + 1}/${names.length}] ${name} …`);
    const code = await run(all.get(name) ?? "");
    const seconds = Math.round((performance.now() - from) / 1000);
    console.log(
      `[${at + 1}/${names.length}] ${name} ${code === 0 ? "done" : `failed (${code})`}, ${seconds} s`,
    );
    if (code !== 0) process.exitCode = 1;
  }
}

async function run(file: string): Promise<number> {
  const args = [...process.execArgv, file];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

/** The files of the benches by their names, in alphabetical order of the names. */
function benches(): ReadonlyMap<string, string> {
  const files = globSync("*/*.ts", { cwd: folder, ignore: "support/**" })
    .map((file) => join(folder, file))
    .filter((file) => readFileSync(file, "utf8").includes("writeSection("));
  const named = files.map((file) => [basename(file, ".ts"), file] as const);
  return new Map(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}
