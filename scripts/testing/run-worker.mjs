import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const graceMs = 30_000;
// Longer than the time limit of a test (`mocha` in package.json); a process that is silent for longer is stuck.
const silenceMs = 300_000;
const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));

/**
 * Takes runs (see plan-runs.mjs) from the shared queue until it is empty. Resolves with a result per run,
 * `{ files, passed, failed, skipped, text, seconds, cpuSeconds }`: `text` is the failures as mocha prints them. A
 * process that dies, hangs or does not exit is a result with one failure, and another process takes the
 * rest.
 */
export async function runWorker(queue, { root, options, shown, temporary }) {
  const results = [];
  while (queue.length > 0) {
    const child = spawn(process.execPath, workerWords(root, options), {
      cwd: root,
      env: { ...process.env, TMPDIR: temporary, SITEWRIGHT_DIST: "current" },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    await new SpecProcess(child, { queue, shown, results }).closed();
  }
  return results;
}

/** Node's own options come from `mocha` in package.json; the worker reads the others. */
function workerWords(root, options) {
  const { mocha } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return [...mocha["node-option"].map((option) => `--${option}`), worker, ...options];
}

/** The parent's side of worker.mjs: a method per kind of message, and a time limit on its silence. */
class SpecProcess {
  #child;
  #queue;
  #shown;
  #results;
  #files = [];
  #began = 0;
  #last = "the start";
  #hasAll = false;
  #isBlamed = false;
  #timer;

  constructor(child, { queue, shown, results }) {
    this.#child = child;
    this.#queue = queue;
    this.#shown = shown;
    this.#results = results;
    child.on("message", (message) => this[message.kind](message));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => shown.line(text));
    }
    this.#expectWord();
  }

  closed() {
    return new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (code, signal) => {
        clearTimeout(this.#timer);
        const isWell = this.#isBlamed || (this.#hasAll && code === 0);
        if (!isWell) this.#blame(`the process ended with ${signal ?? `code ${code}`} after`);
        resolve();
      });
    });
  }

  ready() {
    const files = this.#queue.shift() ?? [];
    this.#child.send(files);
    this.#files = files;
    this.#began = performance.now();
    if (files.length > 0) {
      this.#last = files.join(", ");
      this.#expectWord();
    } else this.#expectEnd();
  }

  test({ state, title }) {
    this.#last = title;
    this.#shown.test(state);
    // The reason follows at the end; print the title now in case the run is aborted.
    if (state === "failed") this.#shown.line(`failed: ${title}`);
    this.#expectWord();
  }

  end({ kind: _kind, ...counts }) {
    this.#results.push({ files: this.#files, seconds: this.#seconds(), cpuSeconds: 0, ...counts });
  }

  spent({ cpuSeconds }) {
    this.#results.at(-1).cpuSeconds = Math.round(cpuSeconds * 10) / 10;
  }

  #seconds() {
    return Math.round((performance.now() - this.#began) / 1000);
  }

  #expectEnd() {
    this.#hasAll = true;
    const complaint = `something keeps the process alive ${graceMs / 1000} s after`;
    this.#killAfter(graceMs, "SIGTERM", complaint);
  }

  #expectWord() {
    this.#killAfter(silenceMs, "SIGKILL", `no output of the tests for ${silenceMs / 1000} s after`);
  }

  #killAfter(ms, signal, complaint) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#blame(complaint);
      this.#child.kill(signal);
    }, ms);
  }

  #blame(complaint) {
    this.#isBlamed = true;
    const text = `  ${complaint}: ${this.#last}\n`;
    const counts = { cpuSeconds: 0, passed: 0, failed: 1, skipped: 0, text };
    this.#results.push({ files: this.#files, seconds: this.#seconds(), ...counts });
  }
}
