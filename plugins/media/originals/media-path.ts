import { withoutOrders } from "#lib/text";
import type { Generation } from "../../content/contract.js";

/** A file of a folder below the content folder. */
export interface MediaPath {
  readonly folder: string;
  readonly name: string;
}

/** Splits a decoded path without leading slash; null for invalid paths. */
export function splitMediaPath(path: string): MediaPath | null {
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  return [...segments, name].every(isName) ? { folder: segments.join("/"), name } : null;
}

function isName(segment: string): boolean {
  return segment !== "" && !segment.startsWith(".") && !/[\\\u0000-\u001f\u007f]/.test(segment);
}

/** Maps folder names without order number to names on disk: `blog` to `02.blog`. */
export class FolderNames {
  readonly #generation: () => Generation;
  #map: ReadonlyMap<string, string> = new Map();
  #id = -1;

  constructor(generation: () => Generation) {
    this.#generation = generation;
  }

  /** The folder on disk for a clean name; null when no part of it is known. */
  literal(folder: string): string | null {
    const map = this.#current();
    const segments = folder.normalize("NFC").split("/");
    let [clean, known]: [string, string | null] = ["", null];
    for (const [at, segment] of segments.entries()) {
      clean = at === 0 ? segment : `${clean}/${segment}`;
      const deeper = map.get(clean);
      // All ancestors of a known folder are known, so the rest of the path has no clean names.
      if (deeper === undefined) return known && [known, ...segments.slice(at)].join("/");
      known = deeper;
    }
    return known;
  }

  #current(): ReadonlyMap<string, string> {
    const { id, entries } = this.#generation();
    if (id !== this.#id) {
      this.#map = cleanFolders(entries.map((entry) => entry.folder));
      this.#id = id;
    }
    return this.#map;
  }
}

/** Clean name to literal name, for folders and their ancestors; the first of two wins. */
function cleanFolders(folders: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const folder of folders) {
    const segments = folder === "" ? [] : folder.split("/");
    for (let count = segments.length; count > 0; count -= 1) {
      const literal = segments.slice(0, count).join("/");
      const clean = withoutOrders(literal).normalize("NFC");
      if (map.has(clean)) break;
      map.set(clean, literal);
    }
  }
  return map;
}
