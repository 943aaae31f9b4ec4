import { fileName, numberedName } from "./safe-name.js";

/** Gives each file a path of its own, the same ones in every run. */
export class MediaPlaces {
  readonly #taken = new Set<string>();

  /** A free path in a folder (empty: at the top). Upper and lower case are the same, as on some disks. */
  take(folder: string, name: string): string {
    const plain = fileName(name);
    for (let number = 1; ; number += 1) {
      const own = number === 1 ? plain : numberedName(plain, number);
      const path = folder === "" ? own : `${folder}/${own}`;
      const key = path.toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return path;
    }
  }
}
