import { createHook, type AsyncHook } from "node:async_hooks";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Something that outlived what was tested. */
export interface Leak {
  /** `Timeout`, `TCPServerWrap`, `FSEventWrap`, …; a listener of the process: `listener SIGTERM`. */
  kind: string;
  count: number;
  /** File and line that created it; null unless the watch traces. */
  at: string | null;
}

/** Polling interval: sockets and files close a few turns after their `close` call. */
const TURNS = 200;
/** Handles of the event loop or of the caller. */
const IGNORED = new Set(["Immediate", "TTYWrap", "PipeWrap"]);
const TRACED =
  /^(Timeout|TCPSERVERWRAP|PIPESERVERWRAP|FSEVENTWRAP|STATWATCHER|PROCESSWRAP|WORKER|UDPWRAP|SIGNALWRAP)$/;
/** The timer of the header `Date`, which the first response of any server starts. */
const OF_NODE = /\bat utcDate \(node:internal\/http/;
/** The folder of this file, as stacks name it; in a built package that of the chunks. */
const HERE = dirname(readPosition((new Error().stack ?? "").split("\n")[1] ?? "") ?? "");

/** What a watch records. */
export interface LeakOptions {
  /** True: where handles were created. Slow. */
  readonly trace: boolean;
  /** Folder of the code that creates handles for its callers: those are named instead. */
  readonly hidden?: string;
}

/** Compares the open handles of the process before and after something ran. */
export class LeakWatch {
  readonly #before = countAll();
  readonly #alive = new Map<number, { kind: string; at: string | null }>();
  readonly #hook: AsyncHook | null;

  private constructor({ trace, hidden }: LeakOptions) {
    this.#hook = trace ? this.#trace(hidden).enable() : null;
  }

  /** Starts a turn later: a test runner starts its own timer once a test waits. */
  static async start(options: LeakOptions): Promise<LeakWatch> {
    await nextTurn();
    return new LeakWatch(options);
  }

  /** The remaining handles, once their number no longer drops. */
  async left(): Promise<Leak[]> {
    for (let turn = 0; turn < TURNS && this.#now().length > 0; turn += 1) await nextTurn();
    const left = this.#now();
    this.#stopTracing();
    return left;
  }

  #stopTracing(): void {
    if (this.#hook === null) return;
    this.#hook.disable();
    // Node goes on tracking every promise of the process until another hook is enabled.
    createHook({ init: () => undefined })
      .enable()
      .disable();
  }

  #now(): Leak[] {
    const grown = countGrowth(this.#before, countAll());
    if (this.#hook === null) return grown;
    const listeners = grown.filter(({ kind }) => kind.startsWith("listener "));
    const places = new Map<string, number>();
    for (const { kind, at } of this.#alive.values()) {
      const key = `${kind}\n${at ?? ""}`;
      places.set(key, (places.get(key) ?? 0) + 1);
    }
    const traced = [...places].map(([key, count]) => {
      const [kind = "", at = ""] = key.split("\n");
      return { kind, count, at: at === "" ? null : at };
    });
    return [...traced, ...listeners];
  }

  #trace(hidden?: string): AsyncHook {
    return createHook({
      // oxlint-disable-next-line max-params -- the signature of Node
      init: (id, type, _trigger, _resource) => {
        if (!TRACED.test(type)) return;
        const stack = new Error().stack ?? "";
        if (OF_NODE.test(stack)) return;
        const at = findCaller(stack, hidden);
        // Timers of Node's own have no file; a server handle is created a turn after `listen`.
        if (at !== null || type !== "Timeout") this.#alive.set(id, { kind: type, at });
      },
      destroy: (id) => void this.#alive.delete(id),
    });
  }
}

function findCaller(stack: string, hidden = HERE): string | null {
  const frame = stack
    .split("\n")
    .slice(1)
    .find((line) => {
      const isOurs = line.includes(HERE) || line.includes(hidden);
      return !isOurs && !/node:|node_modules/.test(line);
    });
  return frame === undefined ? null : readPosition(frame);
}

/** `file:line:column` in a line of a stack. */
function readPosition(frame: string): string | null {
  return /\(?([^()\s]+:\d+:\d+)\)?$/.exec(frame)?.[1] ?? null;
}

function countAll(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (!IGNORED.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const name of process.eventNames()) {
    counts.set(`listener ${String(name)}`, process.listenerCount(name));
  }
  return counts;
}

function countGrowth(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Leak[] {
  return [...after].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 ? [{ kind, count: more, at: null }] : [];
  });
}
