import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const graceMs = 30_000;
// The longest single test takes a minute; a batch that says nothing for so long is stuck.
const silenceMs = 300_000;
const reporter = fileURLToPath(new URL("reporter.mjs", import.meta.url));

/**
 * Runs spec files in a mocha process. Resolves with `{ passed, failed, skipped, failures }`, the
 * failures as mocha prints them. A process that dies, falls silent or does not end counts as one.
 */
export function runBatch(root, files, options, shown) {
  const child = spawn(process.execPath, mochaWords(root, [...options, ...files]), {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const outcome = { passed: 0, failed: 0, skipped: 0, failures: [] };
  let hasEnded = false;
  const fail = (text) => {
    outcome.failed += 1;
    outcome.failures.push(`  ${text}\n`);
  };
  const stop = (signal, text) => () => {
    fail(text);
    child.kill(signal);
  };
  let timer = setTimeout(stop("SIGKILL", silenceText()), silenceMs);
  const again = (ms, ...how) => {
    clearTimeout(timer);
    timer = setTimeout(stop(...how), ms);
  };
  let last = "";
  child.on("message", (message) => {
    if (message.kind === "test") {
      last = message.title;
      shown.test(message.state);
      again(silenceMs, "SIGKILL", silenceText(last));
    } else {
      hasEnded = true;
      outcome.passed += message.passed;
      outcome.failed += message.failed;
      outcome.skipped += message.skipped;
      if (message.text !== "") outcome.failures.push(message.text);
      again(
        graceMs,
        "SIGTERM",
        `something keeps the process alive ${graceMs / 1000} s after its last test`,
      );
    }
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => shown.line(text));
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (!hasEnded && outcome.failed === 0) {
        fail(`the process ended with ${signal ?? `code ${code}`} after: ${last || "no test"}`);
      }
      if (hasEnded && code !== 0 && outcome.failed === 0)
        fail(`the process ended with ${signal ?? code}`);
      resolve(outcome);
    });
  });
}

/** Mocha in this very process, with the settings of package.json: its own start would put a process between. */
function mochaWords(root, words) {
  const { mocha } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { "node-option": nodeOptions, require: modules, timeout } = mocha;
  const mochaProgram = join(root, "node_modules", "mocha", "bin", "mocha.js");
  return [
    ...nodeOptions.map((option) => `--${option}`),
    ...[mochaProgram, "--no-package", "--no-config", "--timeout", String(timeout)],
    ...modules.flatMap((module) => ["--require", module]),
    ...["--reporter", reporter, ...words],
  ];
}

function silenceText(last = "") {
  return `the tests said nothing for ${silenceMs / 1000} s after: ${last || "the start"}`;
}
