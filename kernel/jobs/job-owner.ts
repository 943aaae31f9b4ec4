import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { isAnotherRunning } from "../process-identity.js";

/** How often ownership is renewed, or tried for, in ms. */
const TURN_MS = 2_000;
/** An owner on another machine cannot be looked up: silent for so long, it counts as dead, in ms. */
const SILENT_MS = 15_000;

/** One process of a site root runs its jobs: a claim in a file, renewed while it is held. */
export class JobOwner {
  readonly #file: string;
  #onOwned: () => void = () => undefined;
  #isOwner = false;
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `file`: absolute path of the claim. */
  constructor(file: string) {
    this.#file = file;
  }

  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** Resolves after the first try; later ones follow in the background. */
  async start(onOwned: () => void): Promise<void> {
    this.#onOwned = onOwned;
    await this.#turn();
    if (this.#isClosed) return;
    this.#timer = setInterval(() => {
      this.#work = this.#work.then(() => this.#turn());
    }, TURN_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
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
    // Deleted with its folder: claimed again at the next turn.
    await utimes(this.#file, now, now).catch(() => {
      this.#isOwner = false;
    });
  }

  async #claim(): Promise<boolean> {
    if (await this.#isTaken()) return false;
    try {
      await rm(this.#file, { force: true });
      await mkdir(dirname(this.#file), { recursive: true });
      await writeFile(this.#file, `${process.pid} ${hostname()}\n`, { flag: "wx", mode: 0o600 });
      return true;
    } catch {
      // Another process was faster, or the folder is not writable: the next turn tries again.
      return false;
    }
  }

  async #isTaken(): Promise<boolean> {
    try {
      const [pid = "", host] = (await readFile(this.#file, "utf8")).trim().split(" ");
      const { mtimeMs } = await stat(this.#file);
      if (Date.now() - mtimeMs > SILENT_MS) return false;
      return host !== hostname() || isAnotherRunning(Number(pid));
    } catch {
      return false;
    }
  }
}
