import { fork, type ChildProcess } from "node:child_process";
import { constants, setPriority } from "node:os";
import { childVariables, workerEntry } from "#kernel/internal";
import type { ImageReply, ImageRequest, ImageWork } from "./image-messages.js";

/** Time without work after which the process ends, in ms. */
const IDLE_MS = 30_000;
/** Time after which a process that does not reply is killed, in ms; libvips itself stops after 10 s. */
const MAX_REPLY_MS = 30_000;
/** Below that of the server, so that pages do not wait for images. */
const { PRIORITY_BELOW_NORMAL } = constants.priority;
/** Variables that the process receives: it decodes files of others and needs no secrets. */
const ENVIRONMENT =
  /^(?:PATH|HOME|TMPDIR|TZ|LANG|LC_.*|LD_.*|DYLD_.*|MALLOC_.*|VIPS_.*|SystemRoot)$/;

interface Waiting {
  resolve(reply: ImageReply): void;
  reject(cause: Error): void;
}

/**
 * A child process for libvips. It starts with the first image and ends when idle, which returns its
 * memory to the system: the allocator of glibc keeps most of it otherwise (195 MB after 9,000
 * variants). A crash of libvips ends this process, not the server.
 */
export class ImageProcess {
  readonly #idleMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | null = null;
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;

  /** `idleMs`: time without work after which the process ends. */
  constructor(idleMs: number = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  /** Id of the running process; null while it does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * The reply to a request.
   * @throws an Error when the process cannot start or ends before it replies.
   */
  async run(work: ImageWork): Promise<ImageReply> {
    const child = (this.#child ??= this.#start());
    const id = (this.#lastId += 1);
    if (this.#idle !== null) clearTimeout(this.#idle);
    child.ref();
    child.channel?.ref();
    const limit = setTimeout(() => child.kill("SIGKILL"), MAX_REPLY_MS);
    try {
      return await new Promise<ImageReply>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        const message: ImageRequest = { ...work, id };
        child.send(message, (error) => {
          if (error !== null) reject(error);
        });
      });
    } finally {
      clearTimeout(limit);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest(child);
    }
  }

  #start(): ChildProcess {
    const { file, execArgv = [] } = workerEntry("plugins/media/engines/image-worker");
    const child = fork(file, {
      serialization: "advanced",
      env: childVariables(ENVIRONMENT),
      execArgv,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    if (child.pid !== undefined) setPriority(child.pid, PRIORITY_BELOW_NORMAL);
    child.on("message", (reply: ImageReply) => this.#waiting.get(reply.id)?.resolve(reply));
    child.on("error", (error) => this.#end(child, error));
    child.on("exit", (code, signal) => {
      this.#end(child, new Error(`the image process ended (${signal ?? `code ${code}`})`));
    });
    return child;
  }

  /** Without work, neither the process nor the timer keeps the server alive. */
  #rest(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    this.#idle = setTimeout(() => this.#stop(child), this.#idleMs).unref();
  }

  #stop(child: ChildProcess): void {
    if (this.#child === child) this.#child = null;
    if (child.connected) child.disconnect();
  }

  #end(child: ChildProcess, cause: Error): void {
    // A process that ended when idle may have a successor, whose work goes on.
    if (this.#child !== child) return;
    this.#child = null;
    for (const { reject } of this.#waiting.values()) reject(cause);
  }
}
