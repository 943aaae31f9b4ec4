// `npm test [-- <files> <mocha options>]`: compiles what has changed, runs the specs in batches, a
// batch a mocha process and one process a core, and ends with the line `N passed, N failed, N
// skipped`. A batch that has reported and does not end (a server or timer left open) fails.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { buildWhenStale } from "./build.mjs";
import { planBatches } from "./testing/batches.mjs";
import { progress } from "./testing/progress.mjs";
import { runBatch } from "./testing/run-batch.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const patterns = ["**/*.test.ts", "**/*.test.tsx"];

async function main() {
  await buildWhenStale();
  const { files, options } = readArguments(process.argv.slice(2));
  const cores = availableParallelism();
  const { together, alone } = planBatches(root, files, cores);
  const shown = progress(process.stdout);
  const run = (batch) => runBatch(root, batch, options, shown);
  const outcomes = await inLanes(together, cores, run);
  outcomes.push(...(await inLanes(alone, 1, run)));
  shown.end();
  report(outcomes);
}

/** Files and folders among the words are specs; the rest goes to mocha as it is. */
function readArguments(words) {
  const named = words.filter((word) => /^(\.\/)?test(\/|$)|\.tsx?$/.test(word));
  const options = words.filter((word) => !named.includes(word));
  const folders = named
    .filter((word) => !/\.tsx?$/.test(word))
    .map((word) => word.replace(/\/$/, ""));
  const wanted = named.length === 0 ? ["test"] : folders;
  const found =
    wanted.length === 0
      ? []
      : globSync(
          wanted.flatMap((folder) => patterns.map((pattern) => `${folder}/${pattern}`)),
          { cwd: root },
        );
  return { files: [...named.filter((word) => /\.tsx?$/.test(word)), ...found].sort(), options };
}

/** Runs `work` for every item, `count` at a time, in order. */
async function inLanes(items, count, work) {
  const waiting = [...items];
  const done = [];
  const lane = async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) done.push(await work(item));
  };
  await Promise.all(Array.from({ length: count }, lane));
  return done;
}

function report(outcomes) {
  for (const { failures } of outcomes) for (const failure of failures) console.log(failure);
  const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  process.exitCode = sum("failed") === 0 && outcomes.length > 0 ? 0 : 1;
}

await main();
