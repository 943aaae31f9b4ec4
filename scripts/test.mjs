// `npm test [-- <files> --all --all-pairings --changed <mocha options>]`: compiles changed sources, runs the specs in a few processes
// that take files from a queue, and ends with the line `N passed, N failed, N skipped`. A process that
// does not exit after its last test (a server or timer left open) fails. Mocha's own `--parallel` takes
// as long, but passes such a file, starts the services of 22 files in every process, and names neither
// file nor test of a process that dies. `--retry`: files with failures run a second time, one after the other,
// when the machine has nothing else to do; one that passes then is reported as unstable. `--slowest=20`: names
// that many files by time and by CPU time, which says more on a busy machine. `--all-pairings`: screens are
// checked in every width and colour scheme, and jobs are done by pointer and keyboard in each. Without names of
// files, those with servers, browsers and long time limits run with `--all` only.
import { existsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { buildWhenStale } from "./build.mjs";
import { changedTests } from "./testing/changed-tests.mjs";
import { memoryFolder } from "./testing/memory-folder.mjs";
import { planRuns, quickFiles } from "./testing/plan-runs.mjs";
import { progress } from "./testing/progress.mjs";
import { runWorker } from "./testing/run-worker.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const patterns = ["**/*.test.ts", "**/*.test.tsx"];
// A worker is idle for half of its time: for disks, timers, browsers and child processes.
const parallelWorkers = availableParallelism() + 2;

async function main() {
  await buildWhenStale();
  const mayRetry = process.argv.includes("--retry");
  const slowest = process.argv.find((word) => word.startsWith("--slowest="))?.split("=")[1] ?? 5;
  if (process.argv.includes("--all-pairings")) process.env["ALL_PAIRINGS"] = "1";
  const words = process.argv
    .slice(2)
    .filter((word) => !/^--(retry$|all-pairings$|slowest=)/.test(word));
  const { files, options } = readArguments(
    words.filter((word) => word !== "--all"),
    {
      isAll: words.includes("--all"),
    },
  );
  if (files.length === 0) return console.log("no test is affected by the change");
  const missing = files.filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) throw new Error(`there is no ${missing.join(", ")}`);
  const runs = planRuns(root, files);
  const shown = progress(process.stdout);
  const setup = { root, options, shown, temporary: memoryFolder() ?? tmpdir() };
  const workers = Array.from({ length: parallelWorkers }, () => runWorker(runs, setup));
  const results = (await Promise.all(workers)).flat();
  const repeated = mayRetry ? await runWorker(failedRuns(results), setup) : [];
  shown.end();
  printSlowest(results, Number(slowest));
  report(results, repeated);
}

/** A process that did not exit after its last test names no file: its failure stands. */
function failedRuns(results) {
  const failed = results.filter(({ failed, files }) => failed > 0 && files.length > 0);
  return failed.map(({ files }) => files);
}

/** Files and folders among the arguments are specs; the rest goes to mocha. Without specs: the quick ones. */
function readArguments(words, { isAll }) {
  const since = words.find((word) => /^--changed(=|$)/.test(word));
  if (since !== undefined) {
    const files = changedTests(root, since.split("=")[1]);
    return { files, options: words.filter((word) => word !== since) };
  }
  const named = words.filter((word) => /^(\.\/)?test(\/|$)|\.tsx?$/.test(word));
  const options = words.filter((word) => !named.includes(word));
  // A word that follows no option is a misspelt file, not a reason to run everything.
  const lost = words.find(
    (word, at) =>
      options.includes(word) && [word, words[at - 1] ?? ""].every((one) => one[0] !== "-"),
  );
  if (lost !== undefined) throw new Error(`there is no test file or folder ${lost}`);
  const folders = named
    .filter((word) => !/\.tsx?$/.test(word))
    .map((word) => word.replace(/\/$/, ""));
  if (named.length === 0) {
    const all = specsIn(["test"]);
    // A title may be in any file.
    const isWanted = isAll || options.some((word) => /^(-g|-f|--f?grep)(=|$)/.test(word));
    return { files: isWanted ? all : quickFiles(root, all), options };
  }
  return {
    files: [...named.filter((word) => /\.tsx?$/.test(word)), ...specsIn(folders)].sort(),
    options,
  };
}

function specsIn(folders) {
  if (folders.length === 0) return [];
  const wanted = folders.flatMap((folder) => patterns.map((pattern) => `${folder}/${pattern}`));
  return globSync(wanted, { cwd: root }).sort();
}

function report(results, repeated) {
  const replaced = (run) => repeated.some(({ files }) => files === run.files);
  const final = [...results.filter((run) => !replaced(run)), ...repeated];
  for (const { files, text } of results.filter(replaced)) {
    if (repeated.some((run) => run.files === files && run.failed > 0)) continue;
    console.log(`unstable: ${files.join(", ")} failed once and passed when it ran again\n${text}`);
  }
  // Last, so that the end of a cut log names them.
  for (const { failed, text } of final) if (failed > 0) console.log(text);
  const sum = (key) => final.reduce((total, run) => total + run[key], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  // A misspelt file or title runs nothing, which is a failure.
  process.exitCode = sum("failed") === 0 && sum("passed") + sum("skipped") > 0 ? 0 : 1;
}

function printSlowest(results, count) {
  const names = { seconds: "slowest", cpuSeconds: "most CPU time" };
  for (const [key, name] of Object.entries(names)) {
    const first = results.toSorted((a, b) => b[key] - a[key]).slice(0, count);
    console.log(`${name}: ${first.map((run) => `${titleOf(run)} ${run[key]} s`).join(", ")}`);
  }
}

function titleOf({ files: [first, ...others] }) {
  return `${first}${others.length === 0 ? "" : ` and ${others.length} more`}`;
}

await main();
