// Starting a program copies the page tables of the process that starts it: 2 ms of CPU time for a small
// one, 30 ms and more for one with the heap of a test process. Hundreds of tests run git dozens of times.
import childProcess from "node:child_process";
import { EventEmitter } from "node:events";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";

const program = fileURLToPath(new URL("small-process.mjs", import.meta.url));
const { execFileSync, fork, spawn, spawnSync } = childProcess;

/**
 * From now on a small process starts git for `spawn`, `spawnSync` and `execFileSync` of this one. Returns
 * its CPU time so far and that of git, in seconds.
 */
export function startGitFromSmallProcess() {
  const files = new RequestFiles();
  const small = new SmallProcess(files);
  childProcess.spawn = (file, ...rest) => {
    if (file !== "git" || rest[1]?.stdio !== undefined) return spawn(file, ...rest);
    return small.start(...rest);
  };
  childProcess.spawnSync = (file, ...rest) =>
    file === "git" ? files.run(...rest) : spawnSync(file, ...rest);
  childProcess.execFileSync = (file, ...rest) =>
    file === "git" ? outputOf(files, rest) : execFileSync(file, ...rest);
  syncBuiltinESMExports();
  return () => files.ask(null).seconds;
}

/** The output of a git that succeeds; throws like `execFileSync`. */
function outputOf(files, [args = [], options = {}]) {
  const result = files.run(args, options);
  if (result.error) throw result.error;
  if (options.stdio === undefined) process.stderr.write(result.stderr);
  if (result.status === 0) return result.stdout;
  const message = `Command failed: git ${args.join(" ")}\n${result.stderr}`;
  throw Object.assign(new Error(message), result);
}

/** What the small process needs: never the signal, which is of this process. */
function portable({ cwd, env = process.env, ...others } = {}, input) {
  const { uid, gid, timeout } = others;
  return { cwd: cwd && String(cwd), env: { ...env }, uid, gid, timeout, input };
}

/** Two named pipes, with which this process can wait for a result. */
class RequestFiles {
  #requests;
  #results;
  /** The files 4 and 5 of the small process. */
  inherited;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "site-git-"));
    const [requests, results] = [join(folder, "requests"), join(folder, "results")];
    spawnSync("mkfifo", [requests, results]);
    // Opened for both directions first: the other opening would wait.
    this.inherited = [openSync(requests, "r+"), openSync(results, "r+")];
    this.#requests = openSync(requests, "w");
    this.#results = openSync(results, "r");
    rmSync(folder, { recursive: true });
  }

  run(args = [], options = {}) {
    const { fields, ...result } = this.ask(args, portable(options, options.input));
    const { encoding } = options;
    const decoded = (output) => {
      const buffer = Buffer.from(output ?? []);
      return encoding === undefined || encoding === "buffer" ? buffer : buffer.toString(encoding);
    };
    return {
      ...result,
      ...{ stdout: decoded(result.stdout), stderr: decoded(result.stderr) },
      ...(fields && { error: toError(fields) }),
    };
  }

  /** The response of the small process; without arguments its CPU time. */
  ask(args, options) {
    const request = serialize({ args, options });
    const size = Buffer.alloc(4);
    size.writeUInt32LE(request.length);
    const bytes = Buffer.concat([size, request]);
    for (let at = 0; at < bytes.length;) at += writeSync(this.#requests, bytes, at);
    return deserialize(this.#read(this.#read(4).readUInt32LE()));
  }

  #read(size) {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size;) {
      const count = readSync(this.#results, bytes, at, size - at);
      if (count === 0) throw new Error("the process that starts git has ended");
      at += count;
    }
    return bytes;
  }
}

class SmallProcess {
  #process;
  #running = new Map();
  #lastId = 0;

  constructor({ inherited }) {
    this.#process = fork(program, {
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "inherit", "inherit", "ipc", ...inherited],
    });
    for (const file of inherited) closeSync(file);
    this.#process.on("message", ({ id, kind, ...message }) => this.#receive(id, kind, message));
    this.#rest();
  }

  start(args = [], options = {}) {
    const id = (this.#lastId += 1);
    const { signal } = options;
    if (this.#running.size === 0) this.#process.channel.ref();
    const child = new GitProcess((kind, message) => this.#process.send({ id, kind, ...message }));
    this.#running.set(id, child);
    child.send("start", { args, options: portable(options) });
    const abort = () => {
      child.kill();
      child.fail(abortError(signal.reason));
    };
    if (signal?.aborted) queueMicrotask(abort);
    else signal?.addEventListener("abort", abort, { once: true });
    child.once("close", () => signal?.removeEventListener("abort", abort));
    return child;
  }

  #receive(id, kind, { chunk, fields, code, signal }) {
    const child = this.#running.get(id);
    if (child === undefined) return;
    if (kind === "error") child.fail(toError(fields));
    else if (kind !== "close") child[kind].write(chunk);
    else {
      this.#running.delete(id);
      if (this.#running.size === 0) this.#rest();
      child.end(code, signal);
    }
  }

  /** Without running commands it keeps no test process alive. */
  #rest() {
    this.#process.unref();
    this.#process.channel.unref();
  }
}

/** The part of `ChildProcess` that users of git need. */
class GitProcess extends EventEmitter {
  stdout = new PassThrough();
  stderr = new PassThrough();
  exitCode = null;
  signalCode = null;
  stdin;
  #hasFailed = false;

  constructor(send) {
    super();
    this.send = send;
    const chunks = [];
    this.stdin = new Writable({
      write: (chunk, _encoding, done) => {
        chunks.push(chunk);
        done();
      },
      final: (done) => {
        send("input", { input: Buffer.concat(chunks) });
        done();
      },
    });
  }

  kill(signal = "SIGTERM") {
    this.send("kill", { signal });
    return true;
  }

  /** Emits the first error only: one that is aborted may not have started. */
  fail(error) {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.emit("error", error);
  }

  /** Like Node: "close" follows the end of both outputs. */
  end(code, signal) {
    [this.exitCode, this.signalCode] = [code, signal];
    this.emit("exit", code, signal);
    let open = 2;
    for (const stream of [this.stdout, this.stderr]) {
      stream.once("close", () => {
        open -= 1;
        if (open === 0) this.emit("close", code, signal);
      });
      stream.end();
      // An output without a reader would not close.
      stream.resume();
    }
  }
}

function abortError(cause) {
  const error = new Error("The operation was aborted", { cause });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

function toError({ message, ...fields }) {
  return Object.assign(new Error(message), fields);
}
