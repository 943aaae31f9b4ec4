import { readFileSync, statSync } from "node:fs";
import { isSameButThemes } from "./basis.js";
import type { Manifest, Output } from "../commit/manifest.js";
import { digest } from "../make/page-exporter.js";

/** Tags that the basis covers: when it changes, everything is rendered again. */
const OF_THE_BASIS: ReadonlySet<string> = new Set([
  "config",
  "theme",
  "nav",
  "list",
  "modified",
  "taxonomy",
  "blueprints",
]);
const TRACKED = /^(?:page|media|route|list|flex):/;

/** Decides which files of the last export are still up to date. */
export class Freshness {
  readonly #out: string;
  readonly #now: number;
  readonly #stale: ReadonlySet<string>;
  readonly #isUsable: boolean;
  readonly #isUsableText: boolean;

  /** `now`: Unix ms. */
  constructor(parts: {
    out: string;
    now: number;
    basis: string;
    before: Manifest | null;
    /** Tags that became invalid since the last export. */
    changes: Iterable<string>;
  }) {
    const { before } = parts;
    this.#out = parts.out;
    this.#now = parts.now;
    this.#isUsable = before !== null && before.basis === parts.basis;
    this.#isUsableText = before !== null && isSameButThemes(before.basis, parts.basis);
    this.#stale = new Set(parts.changes);
  }

  /** True when some content has changed since the last export. */
  get hasChanges(): boolean {
    return !this.#isUsable || this.#stale.size > 0;
  }

  /** True when a response with these tags is still valid and its file is unmodified. */
  isFresh(file: string, output: Output): boolean {
    return this.#isUsable && this.#isStillTrue(file, output);
  }

  /** The same for a file that does not depend on the theme. */
  isFreshText(file: string, output: Output): boolean {
    return this.#isUsableText && this.#isStillTrue(file, output);
  }

  #isStillTrue(file: string, output: Output): boolean {
    const { reads, expiresAt } = output;
    if (reads === null) return false;
    if (expiresAt !== null && expiresAt <= this.#now) return false;
    if (!reads.every((tag) => this.#isTrue(tag))) return false;
    return this.isOnDisk(file, output);
  }

  /** True when the file is unmodified; if its time differs, its bytes are compared. */
  isOnDisk(file: string, { size, mtimeMs, hash }: Output): boolean {
    const path = `${this.#out}/${file}`;
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() !== true || stats.size !== size) return false;
      return stats.mtimeMs === mtimeMs || (hash !== "" && digest(readFileSync(path)) === hash);
    } catch {
      // Unreadable files are written again.
      return false;
    }
  }

  /** A tag that is not tracked between exports counts as changed. */
  #isTrue(tag: string): boolean {
    if (this.#stale.has(tag)) return false;
    return OF_THE_BASIS.has(tag) || TRACKED.test(tag);
  }
}
