// `npm test [-- <files> <mocha options>]`: compiles what has changed, runs mocha and ends with the
// line `N passed, N failed, N skipped`. The exit code is mocha's; a run that has reported and does
// not end (a server or timer left open) fails.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildWhenStale } from "./build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const graceMs = 30_000;
// The longest single test takes a minute; a run that says nothing for so long is stuck.
const silenceMs = 240_000;
const everyTest = "test/**/*.test.{ts,tsx}";

async function main() {
  await buildWhenStale();
  const folder = mkdtempSync(join(tmpdir(), "site-test-"));
  try {
    let run = await runMocha(folder);
    if (run.isStuck && !run.hasStarted) {
      console.error("no test had started: once more");
      run = await runMocha(folder);
    }
    const summary = readSummary(join(folder, "summary.json"));
    console.log(`${summary.passes} passed, ${summary.failures} failed, ${summary.pending} skipped`);
    process.exitCode = run.code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runMocha(folder) {
  const chosen = process.argv.slice(2);
  const files = chosen.some((word) => /^test\/|\.tsx?$/.test(word)) ? [] : [everyTest];
  const child = spawn(
    process.execPath,
    [
      join(root, "node_modules", "mocha", "bin", "mocha.js"),
      "--reporter",
      join(root, "scripts", "summary-reporter.mjs"),
      "--reporter-option",
      `summary=${join(folder, "summary.json")}`,
      ...(process.stdout.isTTY ? ["--color"] : []),
      ...chosen,
      ...files,
    ],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
  );
  return new Promise((resolve, reject) => {
    const stopWatching = killWhenItHangs(child, folder);
    const silence = killWhenItIsSilent(child);
    child.once("error", reject);
    child.once("exit", (code) => {
      stopWatching();
      resolve({ code: code ?? 1, ...silence.end() });
    });
  });
}

/** Passes the output on; without any for too long the run is ended. */
function killWhenItIsSilent(child) {
  const state = { isStuck: false, hasStarted: false };
  const giveUp = () => {
    state.isStuck = true;
    console.error(`the tests have said nothing for ${silenceMs / 1000} s`);
    child.kill("SIGKILL");
  };
  let timer = setTimeout(giveUp, silenceMs);
  child.stdout.on("data", (chunk) => {
    process.stdout.write(chunk);
    state.hasStarted ||= /[.,!✔]/.test(String(chunk));
    clearTimeout(timer);
    timer = setTimeout(giveUp, silenceMs);
  });
  return {
    end() {
      clearTimeout(timer);
      return state;
    },
  };
}

function killWhenItHangs(child, folder) {
  let timer;
  const watcher = watch(folder, () => {
    timer ??= setTimeout(() => {
      console.error(
        `the tests are through and something keeps the process alive after ${graceMs / 1000} s`,
      );
      child.kill("SIGTERM");
    }, graceMs);
  });
  return () => {
    watcher.close();
    clearTimeout(timer);
  };
}

function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    // mocha stopped before its end: a spec that does not load, a crash.
    return { passes: 0, failures: 1, pending: 0 };
  }
}

await main();
