import type { BrokenLink } from "../contract.js";

const MAX_SOURCES = 5;

/** Records which pages link to which targets, as far as needed to report broken links. */
export class LinkSources {
  readonly #sources = new Map<string, Set<string>>();
  readonly #missing = new Set<string>();

  /** `target`: as returned by `pageKey`. */
  note(target: string, from: string): void {
    const known = this.#sources.get(target) ?? new Set();
    if (known.size < MAX_SOURCES) this.#sources.set(target, known.add(from));
  }

  /** Some of the pages that link to it, sorted. */
  sources(target: string): string[] {
    return [...(this.#sources.get(target) ?? [])].sort();
  }

  /** Marks a target as missing from the export. */
  missing(target: string): void {
    this.#missing.add(target);
  }

  isMissing(target: string): boolean {
    return this.#missing.has(target);
  }

  /** Missing targets that have links, sorted. */
  broken(): BrokenLink[] {
    return [...this.#missing].sort().flatMap((target) => {
      const from = this.#sources.get(target);
      return from === undefined ? [] : [{ target, from: [...from].sort() }];
    });
  }
}
