import { SiteError } from "#lib/errors";
import { expectText, expectFields } from "#lib/values";
import type {
  CacheExplanation,
  Caches,
  CacheSpace,
  CacheSpaceOptions,
  CacheSpaceStats,
  Clock,
} from "./contracts.js";
import { callCheck } from "./call-check.js";
import { TaggedSpace } from "#lib/cache";

/** The members of a space that do not depend on the type of its values. */
type AnySpace = Pick<TaggedSpace<unknown>, "invalidate" | "clear" | "close" | "stats" | "explain">;

const assertOpen = callCheck(
  "cache.open",
  { name: expectText, options: expectFields({ maxBytes: ["number"], sizeOf: ["function"] }) },
  'site.cache.open("tides", { maxBytes: 1_000_000, sizeOf: (text) => text.length })',
);

/** The caches of a site: one set of tags for all spaces. */
export class SiteCaches implements Caches {
  readonly #clock: Clock;
  readonly #spaces = new Map<string, AnySpace>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open<T>(name: string, options: CacheSpaceOptions<T>): CacheSpace<T> {
    assertOpen(name, options);
    if (this.#spaces.has(name)) {
      const message = `the cache space ${JSON.stringify(name)} is open already`;
      throw new SiteError("ERR_CACHE_DUPLICATE", message, { fix: "give each space its own name" });
    }
    const space = new TaggedSpace<T>(name, options, this.#clock);
    this.#spaces.set(name, space);
    return space;
  }

  invalidate(tags: Iterable<string>): void {
    const all = [...tags];
    for (const space of this.#spaces.values()) space.invalidate(all);
  }

  clear(name?: string): void {
    const spaces = name === undefined ? [...this.#spaces.values()] : [this.#spaces.get(name)];
    for (const space of spaces) space?.clear();
  }

  /** Ends the timers of all spaces. */
  close(): void {
    for (const space of this.#spaces.values()) space.close();
  }

  stats(): Record<string, CacheSpaceStats> {
    return Object.fromEntries([...this.#spaces].map(([name, space]) => [name, space.stats()]));
  }

  explain(key: string): readonly CacheExplanation[] {
    return [...this.#spaces.values()].flatMap((space) => space.explain(key) ?? []);
  }
}
