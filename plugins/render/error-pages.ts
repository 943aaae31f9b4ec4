import { LRUCache } from "lru-cache";
import { SingleFlight, type Answer } from "#kernel";
import type { ActiveTheme } from "./active-theme.js";

/** Error pages cached at a time: one per status, language and message. */
const MAX_PAGES = 100;

/** A rendered error page. */
export interface ErrorDocument {
  readonly answer: Answer;
  /** False when it belongs to the request that it was rendered for. */
  readonly isShared: boolean;
  /** Unix ms after which it is no longer valid; null: no limit. */
  readonly expiresAt: number | null;
}

/**
 * Caches the error pages of anonymous visitors: there is no end of addresses that do not exist, and
 * their pages are the same. A change of the content or of the theme drops them all.
 */
export class ErrorPages {
  readonly #pages = new LRUCache<string, ErrorDocument>({ max: MAX_PAGES });
  readonly #running = new SingleFlight<ErrorDocument>();
  #theme: ActiveTheme | null = null;
  #generation = 0;

  clear(): void {
    this.#generation += 1;
    this.#pages.clear();
  }

  /** The cached page of a key, or what `render` gives, which runs once for all who wait for it. */
  async get(
    { theme, key, now }: { theme: ActiveTheme; key: string; now: number },
    render: () => Promise<ErrorDocument>,
  ): Promise<Answer> {
    if (theme !== this.#theme) this.clear();
    this.#theme = theme;
    const cached = this.#pages.get(key);
    if (cached !== undefined && (cached.expiresAt ?? Infinity) > now) return { ...cached.answer };
    const generation = this.#generation;
    const { result, isFirst } = this.#running.join(`${generation} ${key}`, render);
    const page = await result;
    if (!page.isShared) return isFirst ? page.answer : (await render()).answer;
    if (generation === this.#generation) this.#pages.set(key, page);
    return { ...page.answer };
  }
}
