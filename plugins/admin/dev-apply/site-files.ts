import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { linkProblem } from "./allowed-path.js";

/** Site files outside the content folder: on disk, or in memory for a dry run. */
export class SiteFiles {
  readonly #root: string;
  readonly #isDry: boolean;
  readonly #marks = new Map<string, string | null>();

  constructor(root: string, options: { isDry: boolean }) {
    this.#root = root;
    this.#isDry = options.isDry;
  }

  /** Null when the file does not exist. */
  async read(path: string): Promise<string | null> {
    const mark = this.#marks.get(path);
    if (mark !== undefined) return mark;
    return readFile(join(this.#root, path), "utf8").catch(() => null);
  }

  /** Why a path cannot be written, or null. */
  problem(path: string): Promise<string | null> {
    return linkProblem(this.#root, path);
  }

  /** Writes a text; null deletes the file. */
  async put(path: string, text: string | null): Promise<void> {
    if (this.#isDry) this.#marks.set(path, text);
    else if (text === null) await rm(join(this.#root, path), { force: true });
    else await atomicWrite(join(this.#root, path), text, { access: "shared" });
  }
}
