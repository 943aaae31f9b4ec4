import type { BrokenLink } from "./contract.js";

const MOST_SOURCES = 5;

/** Who links to what, as far as it is needed to tell of links that lead nowhere. */
export class LinkBook {
  readonly #sources = new Map<string, Set<string>>();
  readonly #missing = new Set<string>();

  /** `target`: as `pageKey` gives it. */
  note(target: string, from: string): void {
    const known = this.#sources.get(target) ?? new Set();
    if (known.size < MOST_SOURCES) this.#sources.set(target, known.add(from));
  }

  /** Some of the pages that link to it, in order. */
  sources(target: string): string[] {
    return [...(this.#sources.get(target) ?? [])].sort();
  }

  /** The export does not hold it. */
  missing(target: string): void {
    this.#missing.add(target);
  }

  /** Missing targets that somebody links to, in order. */
  broken(): BrokenLink[] {
    return [...this.#missing].sort().flatMap((target) => {
      const from = this.#sources.get(target);
      return from === undefined ? [] : [{ target, from: [...from].sort() }];
    });
  }
}
