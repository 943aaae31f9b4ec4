import type { Server } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type AddressInfo, type Server as NetServer, BlockList, isIPv6 } from "node:net";
import { lookup } from "node:dns/promises";
import { readdir, readFile, readlink } from "node:fs/promises";
import { SiteError } from "#lib/errors";
import { within } from "#lib/concurrency";
import type { Logger, Plugin } from "../contracts.js";
import type { BootReport } from "./boot-report.js";
import { failureFields } from "./failure.js";

type Work = () => void | Promise<void>;

/** How `Lifecycle.ready` runs the work of the plugins. */
export interface ReadyOptions {
  /** True: the work for a listening site runs too. */
  isListening: boolean;
  /** Receives the duration of each plugin's work. */
  boot?: BootReport;
  /** Called while a plugin is slow. */
  slow?(plugin: string, seconds: number): void;
  /** How long the work of a plugin may take, in ms; null or absent: no limit. */
  limitMs?(plugin: string): number | null;
}

/** Callbacks for when the site is ready and when it closes, with their plugin. */
export class Lifecycle {
  readonly #ready: { plugin: string; work: Work }[] = [];
  readonly #listen: { plugin: string; work: Work }[] = [];
  readonly #later: { plugin: string; work: Work }[] = [];
  readonly #checks: { plugin: string; work: Work }[] = [];
  readonly #close: { plugin: string; work: Work }[] = [];
  #background: Promise<void> = Promise.resolve();
  #isClosing = false;

  onReady(plugin: string, work: Work): void {
    this.#ready.push({ plugin, work });
  }

  onListen(plugin: string, work: Work): void {
    this.#listen.push({ plugin, work });
  }

  afterReady(plugin: string, work: Work): void {
    this.#later.push({ plugin, work });
  }

  onCheck(plugin: string, work: Work): void {
    this.#checks.push({ plugin, work });
  }

  onClose(plugin: string, work: Work): void {
    this.#close.push({ plugin, work });
  }

  /**
   * Runs the ready work in plugin order, then the work for a listening site; `failed` decides whether a
   * failure ends the boot.
   */
  async ready(
    failed: (plugin: string, error: unknown) => void,
    options: ReadyOptions,
  ): Promise<void> {
    for (const { plugin, work } of [...this.#ready, ...(options.isListening ? this.#listen : [])]) {
      const say = (seconds: number): void => options.slow?.(plugin, seconds);
      const limitMs = options.limitMs?.(plugin) ?? null;
      const name = `plugin ${JSON.stringify(plugin)}: its work before the site is ready`;
      const patiently = (): unknown => withPatience(work, { ...PATIENT, work: name, say, limitMs });
      try {
        if (options.boot) await options.boot.time("ready", plugin, patiently);
        else await patiently();
      } catch (error) {
        failed(plugin, error);
      }
    }
  }

  /** Runs the checks in plugin order. @throws the error of the first one that fails. */
  async check(): Promise<void> {
    for (const { work } of this.#checks) await work();
  }

  /** Runs work deferred until after startup, sequentially; a failure is logged. */
  runLater(log: Logger): void {
    this.#background = this.#runLater(log);
  }

  async #runLater(log: Logger): Promise<void> {
    for (const { plugin, work } of this.#later) {
      // Lets waiting requests run first.
      await nextTurn();
      if (this.#isClosing) return;
      try {
        await work();
      } catch (error) {
        log.warn("later.failed", { plugin, ...failureFields(error) });
      }
    }
  }

  /** Runs the closing work in reverse order; a failure is logged and the rest still runs. */
  async close(log: Logger): Promise<void> {
    this.#isClosing = true;
    await this.#background;
    for (const { plugin, work } of this.#close.splice(0).reverse()) {
      try {
        await work();
      } catch (error) {
        log.error("close.failed", { plugin, ...failureFields(error) });
      }
    }
  }
}

/** Backlog of connections; capped by the system. */
const BACKLOG = 4_096;

/**
 * Listens on `port` (0: a free one) and resolves with the port.
 * @throws ERR_PORT_IN_USE.
 */
export async function listenOn(server: NetServer, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code !== "EADDRINUSE") reject(error);
      else portInUse(port, host).then(reject, reject);
    };
    server.once("error", onError);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off("error", onError);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  return address.port;
}

async function portInUse(port: number, host: string): Promise<SiteError> {
  const owner = await portOwner(port, host);
  const name = owner?.name ? ` (${owner.name})` : "";
  const who = owner === null ? "another process" : `process ${owner.pid}${name}`;
  return new SiteError("ERR_PORT_IN_USE", `port ${port} on ${host} is in use by ${who}`, {
    fix: "stop it, or choose another port with --port",
  });
}

/** Stops accepting, closes idle connections and waits up to `limitMs` for open requests. */
export async function drain(server: Server, limitMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const end = setTimeout(() => server.closeAllConnections(), limitMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(end);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** A process that listens on a port. */
interface PortOwner {
  pid: number;
  /** The process name of the system; empty when unknown. */
  name: string;
}

/** State of a listening socket in `/proc/net/tcp`. */
const LISTEN = "0A";

/**
 * The process whose socket keeps others from listening on a TCP port of `host`, on Linux and as far as this
 * user may see; else null. Only for messages: it reads many files.
 */
export async function portOwner(
  port: number,
  host: string,
  proc = "/proc",
): Promise<PortOwner | null> {
  const isInWay = await sameAddress(host);
  const sockets = new Set<string>();
  for (const table of ["tcp", "tcp6"]) {
    for (const { address, inode } of listening(await read(`${proc}/net/${table}`), port)) {
      if (isInWay(address)) sockets.add(`socket:[${inode}]`);
    }
  }
  if (sockets.size === 0) return null;
  for (const pid of (await list(proc)).filter((name) => /^\d+$/.test(name))) {
    if (await holdsOne(`${proc}/${pid}/fd`, sockets)) {
      return { pid: Number(pid), name: (await read(`${proc}/${pid}/comm`)).trim() };
    }
  }
  return null;
}

/** Whether a socket on an address excludes another one on `host`: the same address, or all addresses. */
async function sameAddress(host: string): Promise<(address: string) => boolean> {
  const own = await lookup(host).catch(() => null);
  // A name that is unknown here: any listener on the port may be meant.
  if (own === null || isAll(own.address)) return () => true;
  const wanted = new BlockList();
  wanted.addAddress(own.address, own.family === 6 ? "ipv6" : "ipv4");
  return (address) => isAll(address) || wanted.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** True for the address that stands for all addresses: `0.0.0.0` or `::`, in any form. */
function isAll(address: string): boolean {
  return /^[0.:]+$/.test(address);
}

/** The sockets that listen on `port`: columns 2 (address), 4 (state) and 10 (inode). */
function listening(table: string, port: number): { address: string; inode: string }[] {
  return table.split("\n").flatMap((line) => {
    const columns = line.trim().split(/\s+/);
    const [address = "", hexPort = ""] = columns[1]?.split(":") ?? [];
    const inode = columns[9];
    if (columns[3] !== LISTEN || inode === undefined || parseInt(hexPort, 16) !== port) return [];
    return [{ address: toAddress(address), inode }];
  });
}

/** `0100007F` as `127.0.0.1`; of IPv6 four such words. Bytes are in the order of the machine, low first. */
function toAddress(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, "hex").reverse()]);
  if (bytes.length === 4) return bytes.join(".");
  const full = Buffer.from(bytes).toString("hex");
  return (full.match(/.{4}/g) ?? []).join(":");
}

async function holdsOne(folder: string, sockets: ReadonlySet<string>): Promise<boolean> {
  for (const name of await list(folder)) {
    const target = await readlink(`${folder}/${name}`).catch(() => "");
    if (sockets.has(target)) return true;
  }
  return false;
}

function read(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Limits and reports while the boot waits for a part. */
interface Patience {
  /** The work as the error names it: `plugin "search": its setup`. */
  work: string;
  /** Called at this interval in ms while it runs, with the whole seconds so far. */
  sayEveryMs: number;
  say(seconds: number): void;
  /** Fails after this many ms; null: never. */
  limitMs: number | null;
}

/** When and how often a slow part of the startup is reported. */
export const PATIENT = { sayEveryMs: 5_000, limitMs: null } as const;
/** `setup()` only registers things; taking longer means it is stuck. */
const SETUP_LIMIT_MS = 60_000;
/** The site does without an optional plugin, so it does not wait for it as long. */
const OPTIONAL_LIMIT_MS = 10_000;

/** How long `setup` and the work of `onReady` of a plugin may take, in ms. */
export function setupLimitMs({ optional }: Pick<Plugin, "optional">): number {
  return optional === true ? OPTIONAL_LIMIT_MS : SETUP_LIMIT_MS;
}

/**
 * Waits for work and reports it while it runs. Otherwise a process that waits for a promise that never
 * settles would exit silently.
 * @throws ERR_PLUGIN_SETUP past the limit.
 */
export async function withPatience<T>(run: () => T, patience: Patience): Promise<Awaited<T>> {
  const pending = run();
  if (!(pending instanceof Promise)) return await pending;
  const { sayEveryMs, say, limitMs, work: name } = patience;
  const started = performance.now();
  const talk = setInterval(
    () => say(Math.round((performance.now() - started) / 1_000)),
    sayEveryMs,
  );
  const giveUp = (ms: number) => (): never => {
    throw new SiteError("ERR_PLUGIN_SETUP", `${name} did not finish within ${ms / 1_000} s`, {
      fix: "register things only, give each request a time limit, and do slow work in a job",
    });
  };
  try {
    return await (limitMs === null ? pending : within(limitMs, pending, giveUp(limitMs)));
  } finally {
    clearInterval(talk);
  }
}
