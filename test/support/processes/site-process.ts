import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../../kernel/cli/bin.mjs", import.meta.url));

/** The command `site` as a process. */
export interface SiteProcess {
  child: ChildProcess;
  /** All output so far. */
  text(): string;
  /** Resolves when the output matches; rejects when the process ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code, null for a signal. */
  ended(): Promise<number | null>;
}

/**
 * Runs `site` with arguments; `command` is a prefix to node (`["unshare", "-rm"]`), `node` are arguments of node,
 * `bin` another installation than this repository. With `hasChannel` the test and a preloaded module exchange messages.
 */
export function startProcess(
  args: readonly string[],
  options: {
    env?: Record<string, string>;
    command?: readonly string[];
    node?: readonly string[];
    bin?: string;
    hasChannel?: boolean;
  } = {},
): SiteProcess {
  const { command = [], node = [], hasChannel = false } = options;
  const [program, ...before] = [...command, process.execPath, ...node, options.bin ?? bin];
  const child = spawn(program ?? process.execPath, [...before, ...args], {
    env: { ...process.env, ...options.env, NODE_OPTIONS: "" },
    stdio: ["pipe", "pipe", "pipe", ...(hasChannel ? (["ipc"] as const) : [])],
  });
  const chunks: string[] = [];
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      chunks.push(chunk.toString());
      waiting.forEach((look) => look());
    });
  }
  let hasClosed = false;
  child.once("close", () => (hasClosed = true));
  const text = (): string => chunks.join("");
  const printed = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(text());
        if (match) resolve(match);
      };
      waiting.add(look);
      look();
      child.once("exit", () => reject(new Error(`ended before ${pattern}: ${text()}`)));
    });
  const ended = async (): Promise<number | null> => {
    // Not "exit": the last output may still be in the pipe.
    if (!hasClosed) await once(child, "close");
    return child.exitCode;
  };
  return { child, text, printed, ended };
}

/** Runs `site serve` with `more` arguments on a free port; resolves when it is ready. */
export async function startServer(
  root: string,
  { more = [], ...options }: Parameters<typeof startProcess>[1] & { more?: readonly string[] } = {},
): Promise<SiteProcess & { url: string }> {
  const started = startProcess(["serve", "--root", root, "--port", "0", ...more], options);
  const [, port] = await started.printed(/localhost:(\d+)/);
  await started.printed(/ready after/);
  return { ...started, url: `http://127.0.0.1:${port}` };
}

/** Kills a process that may have ended already, and waits for its end. */
export async function killProcess({ child }: Pick<SiteProcess, "child">): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
