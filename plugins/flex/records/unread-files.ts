import type { Logger } from "#kernel";
import type { ContentProblem } from "../../content/contract.js";
import { toProblem } from "./flex-files.js";

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 30_000;

/** Unreadable files and folders: their last versions remain, and they are retried until readable. */
export class UnreadFiles {
  readonly #log: Pick<Logger, "error" | "info">;
  readonly #problems = new Map<string, ContentProblem>();
  #retry: () => Promise<void> = async () => undefined;
  #timer: NodeJS.Timeout | null = null;
  #waitMs = FIRST_RETRY_MS;
  #isOn = false;

  constructor(log: Pick<Logger, "error" | "info">) {
    this.#log = log;
  }

  /** Paths below the site's root: `flex-objects`, `flex-objects/{type}`, `flex-objects/{type}/{id}.yaml`. */
  get paths(): readonly string[] {
    return [...this.#problems.keys()];
  }

  problems(): readonly ContentProblem[] {
    return [...this.#problems.values()];
  }

  /** Calls `retry` until no unreadable file is left. */
  retryWith(retry: () => Promise<void>): void {
    this.#retry = retry;
    this.#isOn = true;
    this.#retryLater();
  }

  note(path: string, why: string): void {
    if (!this.#problems.has(path)) this.#log.error("flex.unreadable", { file: path, error: why });
    const message = `${why}; its last version is served, and it is read again until it can be`;
    this.#problems.set(path, toProblem(path, { code: "ERR_FLEX_READ", message }));
    this.#retryLater();
  }

  /** Clears a path that was read or deleted. */
  clear(path: string): void {
    if (!this.#problems.delete(path)) return;
    this.#log.info("flex.readable", { file: path });
    if (this.#problems.size === 0) this.#waitMs = FIRST_RETRY_MS;
  }

  /** Clears the files of a folder that a complete listing could read. */
  settle(folder: string, unreadable: ReadonlySet<string>): void {
    for (const path of this.paths) {
      const isInside = path.startsWith(`${folder}/`) && path.endsWith(".yaml");
      if (isInside && !path.slice(folder.length + 1).includes("/") && !unreadable.has(path))
        this.clear(path);
    }
  }

  #retryLater(): void {
    if (!this.#isOn || this.#timer !== null || this.#problems.size === 0) return;
    this.#timer = setTimeout(() => void this.#again(), this.#waitMs).unref();
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_RETRY_MS);
  }

  async #again(): Promise<void> {
    try {
      await this.#retry();
    } catch (error) {
      this.#log.error("flex.retry_failed", { error: String(error) });
    } finally {
      this.#timer = null;
      this.#retryLater();
    }
  }

  close(): void {
    this.#isOn = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

/** The path of a type's folder, or of a record's file, below the site's root. */
export function flexPath(type?: string, id?: string): string {
  if (type === undefined) return "flex-objects";
  return id === undefined ? `flex-objects/${type}` : `flex-objects/${type}/${id}.yaml`;
}
