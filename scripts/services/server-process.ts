import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import type { CommandOptions } from "./run-command.js";

/** A server to start: its program, the line that says it is ready, and its own folder. */
export interface ServerPlan extends CommandOptions {
  command: string;
  args: readonly string[];
  ready: string;
  /** Removed when the server has stopped. */
  folder: string;
  stopSignal: NodeJS.Signals;
}

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a TCP server has no port");
  return address.port;
}

/** Starts a server and answers, once it is ready, the function that stops it. */
export async function startServer(plan: ServerPlan): Promise<() => Promise<void>> {
  const child = spawn(plan.command, plan.args, {
    cwd: plan.folder,
    uid: plan.uid,
    gid: plan.gid,
    env: { ...process.env, ...plan.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A test process that is killed or crashes must not leave its servers behind.
  const abandon = () => {
    child.kill("SIGKILL");
    rmSync(plan.folder, { recursive: true, force: true });
  };
  process.once("exit", abandon);
  await untilReady(child, plan);
  return async () => {
    process.removeListener("exit", abandon);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(plan.stopSignal);
      await once(child, "exit");
    }
    rmSync(plan.folder, { recursive: true, force: true });
  };
}

function untilReady(child: ChildProcess, plan: ServerPlan): Promise<void> {
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(plan.ready)) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${plan.command} ended at its start:\n${output}`)));
  });
}
