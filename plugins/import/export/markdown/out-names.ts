/** Names of exported files and folders: readable, the same on every system, each taken once. */
import { posix } from "node:path";
import { splitOrder } from "#kernel/internal";
import { folderName, numberedName } from "../../plan/safe-name.js";

const MAX_BYTES = 120;
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}._~-]*$/u;
/** Names that content folders give a meaning. */
const RESERVED: ReadonlySet<string> = new Set(["default", "index", "home", "readme"]);

/** A segment of an address as a name; another one where the segment is not safe. */
export function segmentName(segment: string): string {
  const isSafe =
    PLAIN.test(segment) &&
    splitOrder(segment).order === null &&
    !/[.~]$|^node_modules$/.test(segment) &&
    Buffer.byteLength(segment) <= MAX_BYTES &&
    segment === segment.normalize("NFC");
  return isSafe ? segment : folderName(segment);
}

/** True for a name that is a page of its own as a file: `about.md`. */
export function isPlainFileName(name: string, isTemplate: (name: string) => boolean): boolean {
  return !name.includes(".") && !RESERVED.has(name.toLowerCase()) && !isTemplate(name);
}

/** Paths of an export. */
export class OutNames {
  readonly #taken = new Set<string>();

  /** The path, with a number when it is taken, also in other letters. */
  take(path: string): string {
    for (let number = 1; ; number += 1) {
      const own =
        number === 1
          ? path
          : posix.join(posix.dirname(path), numberedName(posix.basename(path), number));
      const key = own.toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return own;
    }
  }
}
