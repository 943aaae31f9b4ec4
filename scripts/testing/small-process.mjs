// Starts git for start-git.mjs, which explains why. Requests come as messages, or on file 4 with the
// results on file 5 for a parent that waits.
import { spawn, spawnSync } from "node:child_process";
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { deserialize, serialize } from "node:v8";
import { cpuSeconds } from "./cpu-seconds.mjs";

const [REQUESTS, RESULTS] = [4, 5];
const MAX_OUTPUT = 256 * 1024 * 1024;
const running = new Map();

process.on("message", ({ id, kind, ...request }) => handlers[kind](id, request));
// Not `process.exit`, which may wait for children.
const end = () => process.kill(process.pid, "SIGKILL");
process.on("disconnect", end);
// The test process may have ended before this line.
if (!process.connected) end();

const handlers = {
  start(id, { args, options }) {
    const child = spawn("git", args, options);
    const send = (kind, message = {}) => {
      if (process.connected) process.send({ id, kind, ...message });
    };
    running.set(id, child);
    child.stdout.on("data", (chunk) => send("stdout", { chunk }));
    child.stderr.on("data", (chunk) => send("stderr", { chunk }));
    child.stdin.on("error", () => undefined);
    child.once("error", (error) => send("error", { fields: fieldsOf(error) }));
    child.once("close", (code, signal) => {
      running.delete(id);
      send("close", { code, signal });
    });
  },
  input(id, { input }) {
    running.get(id)?.stdin.end(input);
  },
  kill(id, { signal }) {
    running.get(id)?.kill(signal);
  },
};

let received = Buffer.alloc(0);
new Socket({ fd: REQUESTS, writable: false }).on("data", (chunk) => {
  received = Buffer.concat([received, chunk]);
  const size = received.length < 4 ? Infinity : received.readUInt32LE() + 4;
  if (received.length < size) return;
  const { args, options } = deserialize(received.subarray(4, size));
  received = received.subarray(size);
  if (args === null) return respond({ seconds: cpuSeconds() });
  const { error, status, signal, stdout, stderr } = spawnSync("git", args, {
    ...options,
    maxBuffer: MAX_OUTPUT,
  });
  respond({ status, signal, stdout, stderr, fields: error && fieldsOf(error) });
});

function respond(result) {
  const body = serialize(result);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  const bytes = Buffer.concat([head, body]);
  for (let at = 0; at < bytes.length;) at += writeSync(RESULTS, bytes, at);
}

function fieldsOf({ message, code, errno, syscall, path, spawnargs }) {
  return { message, code, errno, syscall, path, spawnargs };
}
