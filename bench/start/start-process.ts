/** Spawns a server and measures it until it is ready. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { cpuOf, peakOf, rssOf } from "../support/server-process.js";

const pollMs = 4;
const patienceMs = 600_000;

/** A server that has served its first request. */
export interface Started {
  url: string;
  /** From spawn to the first 200, in ms. */
  ms: number;
  /** User and system time until then, in ms. */
  cpuMs: number;
  /** User and system time so far, in µs. */
  cpu(): number;
  /** Resident memory in MB, now. */
  rss(): number;
  /** Largest resident memory so far, in MB. */
  peak(): number;
  stop(): Promise<void>;
}

/** Runs `node <args>`, by default this Node, with a free port and these variables until `path` responds 200. */
export async function startUntilReady(
  args: (port: number) => readonly string[],
  path: string,
  variables: Readonly<Record<string, string>> = {},
  node = process.execPath,
): Promise<Started> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const from = performance.now();
  const child = spawn(node, [...args(port)], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...variables, SITE_ENV: "production", SITE_LOG_FORMAT: "json" },
  });
  const pid = child.pid ?? 0;
  while ((await statusOf(url + path)) !== 200) {
    if (child.exitCode !== null || performance.now() - from > patienceMs) {
      child.kill("SIGKILL");
      throw new Error(`node ${args(port).join(" ")} did not become ready`);
    }
    await delay(pollMs);
  }
  const ms = performance.now() - from;
  return {
    url,
    ms,
    cpuMs: cpuOf(pid) / 1000,
    cpu: () => cpuOf(pid),
    rss: () => rssOf(pid),
    peak: () => peakOf(pid),
    stop: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

function statusOf(url: string): Promise<number> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (answer) => {
      answer.resume();
      answer.on("close", () => resolve(answer.statusCode ?? 0));
    }).on("error", () => resolve(0));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
