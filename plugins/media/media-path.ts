import type { Generation } from "../content/contract.js";

/** A file of a folder below the content folder. */
export interface MediaPath {
  readonly folder: string;
  readonly name: string;
}

/** The two parts of a decoded path without leading slash; null for what no file can have. */
export function splitMediaPath(path: string): MediaPath | null {
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  return [...segments, name].every(isName) ? { folder: segments.join("/"), name } : null;
}

function isName(segment: string): boolean {
  return segment !== "" && !segment.startsWith(".") && !/[\\\u0000-\u001f\u007f]/.test(segment);
}

/** Folder names as they stand on disk for names without their order: `blog` for `02.blog`. */
export class FolderNames {
  readonly #generation: () => Generation;
  #map: ReadonlyMap<string, string> = new Map();
  #id = -1;

  constructor(generation: () => Generation) {
    this.#generation = generation;
  }

  /** The folder on disk that a clean name means; null when none of it is known. */
  literal(folder: string): string | null {
    const map = this.#current();
    const segments = folder.split("/");
    let [clean, known]: [string, string | null] = ["", null];
    for (const [at, segment] of segments.entries()) {
      clean = at === 0 ? segment : `${clean}/${segment}`;
      const deeper = map.get(clean);
      // What is above a known folder is known: nothing below this one is.
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

/** Clean name to literal name of folders and of all folders above them; the first of two wins. */
function cleanFolders(folders: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const folder of folders) {
    const segments = folder === "" ? [] : folder.split("/");
    for (let count = segments.length; count > 0; count -= 1) {
      const literal = segments.slice(0, count).join("/");
      const clean = literal.replace(/(^|\/)\d+\./g, "$1");
      if (map.has(clean)) break;
      map.set(clean, literal);
    }
  }
  return map;
}
