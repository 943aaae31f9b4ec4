import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import type { CommandOptions } from "./run-command.js";

/** A server to start: its program, the line it prints when ready, and its own folder. */
export interface ServerPlan extends CommandOptions {
  command: string;
  args: readonly string[];
  ready: string;
  /** Removed when the server has stopped. */
  folder: string;
  stopSignal: NodeJS.Signals;
}

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a TCP server has no port");
  return address.port;
}

/** A running server. */
export interface ServerProcess {
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
  /** Kills it with a signal, as in a crash; its folder stays. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again in its folder; resolves once it is ready. */
  startAgain(): Promise<void>;
}

/** Starts a server; resolves once it is ready. */
export async function startServer(plan: ServerPlan): Promise<ServerProcess> {
  let child = spawnServer(plan);
  // A test process that is killed or crashes must not leave servers running.
  const abandon = () => {
    child.kill("SIGKILL");
    rmSync(plan.folder, { recursive: true, force: true });
  };
  process.once("exit", abandon);
  await untilReady(child, plan);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  };
  return {
    end,
    startAgain: async () => {
      child = spawnServer(plan);
      await untilReady(child, plan);
    },
    stop: async () => {
      process.removeListener("exit", abandon);
      await end(plan.stopSignal);
      rmSync(plan.folder, { recursive: true, force: true });
    },
  };
}

function spawnServer(plan: ServerPlan): ChildProcess {
  return spawn(plan.command, plan.args, {
    cwd: plan.folder,
    uid: plan.uid,
    gid: plan.gid,
    env: { ...process.env, ...plan.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
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
    child.once("exit", () => reject(new Error(`${plan.command} exited at startup:\n${output}`)));
  });
}
