import { fork, type ChildProcess } from "node:child_process";
import { constants, setPriority } from "node:os";
import { childVariables, SiteError, workerEntry } from "#kernel";
import type {
  ImageEngine,
  ImageHeader,
  ImageLook,
  ImageVariant,
  ProcessedImage,
} from "../contract.js";

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

/**
 * Generates a variant of an original, looks at it, or reads the size of the file at an absolute
 * path.
 */
type ImageWork =
  | { readonly original: Buffer; readonly variant: ImageVariant }
  | { readonly original: Buffer; readonly isLook: true }
  | { readonly file: string };

/** Work for the image process. `id` identifies the reply. */
export type ImageRequest = ImageWork & { readonly id: number };

/** Its reply. */
export type ImageReply =
  | { id: number; image: ProcessedImage }
  | { id: number; size: ImageHeader | null }
  | { id: number; look: ImageLook }
  | { id: number; fault: "unusable" | "slow"; message: string };

/** All sites of this process share it: libvips has one state per process anyway. */
const shared = new ImageProcess();

/** Image processing by libvips in a process of its own. */
export function createSharpEngine(images: Pick<ImageProcess, "run"> = shared): ImageEngine {
  return {
    process: async (original, variant) => {
      const reply = await request(images, { original, variant });
      if ("image" in reply) return reply.image;
      throw toError(reply);
    },
    look: async (original) => {
      const reply = await request(images, { original, isLook: true });
      if ("look" in reply) return reply.look;
      throw toError(reply);
    },
    size: async (file) => {
      const reply = await request(images, { file });
      return "size" in reply ? reply.size : null;
    },
  };
}

async function request(images: Pick<ImageProcess, "run">, work: ImageWork): Promise<ImageReply> {
  try {
    return await images.run(work);
  } catch (cause) {
    throw new SiteError("ERR_MEDIA_PROCESS", "the process that generates images ended", {
      status: 503,
      headers: { "Retry-After": "60" },
      cause,
      fix: "ask again later; if it happens again, the log of the system says why it ended",
    });
  }
}

function toError(reply: ImageReply): SiteError {
  const { fault, message } = "fault" in reply ? reply : { fault: "unusable", message: "no image" };
  return fault === "slow"
    ? new SiteError("ERR_MEDIA_SLOW", message, { status: 503, headers: { "Retry-After": "30" } })
    : new SiteError("ERR_MEDIA_IMAGE", message, { status: 422, fix: "replace the original" });
}

/** Processes a small picture; resolves with the version of sharp. @throws when sharp does not load or work. */
export async function probeSharp(): Promise<string> {
  const { default: sharp } = await import("sharp");
  const create = { width: 2, height: 2, channels: 3, background: "#fff" } as const;
  await sharp({ create }).webp().toBuffer();
  return sharp.versions.sharp ?? "";
}
