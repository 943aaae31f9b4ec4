import { lstatSync, type Stats } from "node:fs";
import { join, posix } from "node:path";
import { errorCode } from "#kernel/internal";
import type { ExportFailure } from "../contract.js";
import type { Manifest, Output } from "./manifest.js";

/** A part of the export: its files, and which of them are new. */
export interface Part {
  outputs: ReadonlyMap<string, Output>;
  moves: readonly (readonly [staged: string, file: string])[];
}

/** All files of an export, each path once. */
export class Assembly {
  readonly outputs = new Map<string, Output>();
  readonly moves: (readonly [staged: string, file: string])[] = [];
  readonly failures: ExportFailure[] = [];
  readonly #out: string;
  readonly #before: Manifest | null | "damaged";

  /** `before`: null without an earlier export; `damaged` when any existing file may be ours. */
  constructor(out: string, before: Manifest | null | "damaged") {
    this.#out = out;
    this.#before = before;
  }

  /** Adds a part. The first file at a path wins; the second is reported as a failure. */
  add({ outputs, moves }: Part): void {
    const staged = new Map(moves.map(([name, file]) => [file, name]));
    for (const [file, output] of outputs) {
      const problem = this.#problem(file, output, staged.has(file));
      if (problem !== null) {
        this.failures.push({ url: output.url, message: problem });
        continue;
      }
      this.outputs.set(file, output);
      const name = staged.get(file);
      if (name !== undefined) this.moves.push([name, file]);
    }
  }

  /** Files that are also a folder of another file, which no file system allows. */
  checkFolders(): void {
    const folders = new Set(["."]);
    for (const [file, { url }] of this.outputs) {
      const folder = this.#fileOnTheWay(posix.dirname(file), folders);
      if (folder === null) continue;
      const made = this.outputs.get(folder)?.url ?? "";
      this.failures.push({ url, message: `${folder} is a file already, made from ${made}` });
      this.outputs.delete(file);
      const at = this.moves.findIndex(([, moved]) => moved === file);
      if (at !== -1) this.moves.splice(at, 1);
    }
  }

  /**
   * The nearest folder, from `path` upwards, that is a file. `known` contains those that are not.
   */
  #fileOnTheWay(path: string, known: Set<string>): string | null {
    if (known.has(path)) return null;
    if (this.outputs.has(path)) return path;
    const above = this.#fileOnTheWay(posix.dirname(path), known);
    if (above === null) known.add(path);
    return above;
  }

  #problem(file: string, { url }: Output, isNew: boolean): string | null {
    const other = this.outputs.get(file);
    if (other !== undefined && other.url !== url) {
      return `${file} is made from ${other.url} too; give one of them another name`;
    }
    const before = this.#before;
    if (!isNew || before === "damaged" || before?.outputs.has(file) === true) return null;
    const found = statsOf(join(this.#out, file));
    const isOurs =
      found === "below a file" ? this.#isBelowOurs(file) : found === null || found.isDirectory();
    return isOurs ? null : `${file} lies in the export's folder and was not written by an export`;
  }

  /** True when a file of the last export must be removed to make way for a folder. */
  #isBelowOurs(file: string): boolean {
    const before = this.#before;
    if (before === null || before === "damaged") return false;
    for (let at = posix.dirname(file); at !== "."; at = posix.dirname(at)) {
      if (before.outputs.has(at)) return true;
    }
    return false;
  }
}

function statsOf(path: string): Stats | "below a file" | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return "below a file";
    throw error;
  }
}
