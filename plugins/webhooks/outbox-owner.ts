/** One process of a site sends its webhooks: the one that owns the outbox. */
import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { isAnotherRunning } from "#kernel";

const retryMs = 2_000;
// An owner on another machine cannot be looked up; one that has not been heard of is gone.
const silentMs = 15_000;

/** A claim on the outbox, renewed while it is held and tried again while it is not. */
export class OutboxOwner {
  readonly #file: string;
  readonly #onOwned: () => void;
  #isOwner = false;
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(file: string, onOwned: () => void) {
    this.#file = file;
    this.#onOwned = onOwned;
  }

  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** Resolves after the first try; later ones follow in the background. */
  async start(): Promise<void> {
    await this.#turn();
    if (this.#isClosed) return;
    this.#timer = setInterval(() => {
      this.#work = this.#work.then(() => this.#turn());
    }, retryMs);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#work;
    if (this.#isOwner) await rm(this.#file, { force: true });
    this.#isOwner = false;
  }

  async #turn(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#isOwner) await this.#renew();
    else if (await this.#claim()) {
      this.#isOwner = true;
      this.#onOwned();
    }
  }

  async #renew(): Promise<void> {
    const now = new Date();
    // Gone with the folder: claimed again at the next turn.
    await utimes(this.#file, now, now).catch(() => {
      this.#isOwner = false;
    });
  }

  async #claim(): Promise<boolean> {
    if (await this.#isHeld()) return false;
    try {
      await rm(this.#file, { force: true });
      await mkdir(dirname(this.#file), { recursive: true });
      await writeFile(this.#file, `${process.pid} ${hostname()}\n`, { flag: "wx", mode: 0o600 });
      return true;
    } catch {
      // Another process was faster, or the folder cannot be written: the next turn tries again.
      return false;
    }
  }

  async #isHeld(): Promise<boolean> {
    try {
      const [pid = "", host] = (await readFile(this.#file, "utf8")).trim().split(" ");
      const { mtimeMs } = await stat(this.#file);
      if (Date.now() - mtimeMs > silentMs) return false;
      return host !== hostname() || isAnotherRunning(Number(pid));
    } catch {
      return false;
    }
  }
}
