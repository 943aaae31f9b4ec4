import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Freshness } from "../plan/freshness.js";
import type { Manifest, Output } from "../commit/manifest.js";
import { digest } from "./page-exporter.js";

/** Files that the export generates, written only when their bytes change. */
export class GeneratedFiles {
  readonly outputs = new Map<string, Output>();
  readonly moves: [staged: string, file: string][] = [];
  readonly #before: Manifest | null;
  readonly #freshness: Freshness;
  readonly #stage: string;

  /** `before`: the last export; `stage`: folder of new files. */
  constructor(before: Manifest | null, freshness: Freshness, stage: string) {
    this.#before = before;
    this.#freshness = freshness;
    this.#stage = stage;
  }

  /** Reuses the file of the last export if its inputs are unchanged; returns false otherwise. */
  keep(file: string): boolean {
    return this.#keep(file, (last) => this.#freshness.isFresh(file, last));
  }

  /** The same for a file that does not depend on the theme. */
  keepText(file: string): boolean {
    return this.#keep(file, (last) => this.#freshness.isFreshText(file, last));
  }

  #keep(file: string, isFresh: (last: Output) => boolean): boolean {
    const last = this.#before?.outputs.get(file);
    if (last === undefined || !isFresh(last)) return false;
    this.outputs.set(file, last);
    return true;
  }

  /** `reads`: tags of its inputs; null: generated in each run. */
  async put(
    file: string,
    body: string | Buffer,
    reads: readonly string[] | null = null,
  ): Promise<void> {
    const hash = digest(body);
    const last = this.#before?.outputs.get(file);
    if (last?.hash === hash && this.#freshness.isOnDisk(file, last)) {
      this.outputs.set(file, { ...last, reads });
      return;
    }
    const staged = `made-${this.moves.length}`;
    const path = join(this.#stage, staged);
    await writeFile(path, body);
    const { mtimeMs, size } = await stat(path);
    this.outputs.set(file, { ...GENERATED, url: `/${file}`, hash, size, mtimeMs, reads });
    this.moves.push([staged, file]);
  }
}

const GENERATED = {
  kind: "made",
  expiresAt: null,
  variants: [],
  inline: [],
} as const;
