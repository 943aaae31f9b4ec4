import type { Answer, Caches, CacheSpace } from "#kernel";
import type { ActiveTheme } from "../theme/active-theme.js";

/** Maximum number of cached error pages: one per status, language and message. */
const MAX_PAGES = 100;
const MAX_BYTES = 8 * 1_024 * 1_024;

/** A rendered error page. */
export interface ErrorDocument {
  readonly answer: Answer;
  /** False when it belongs to the request that it was rendered for. */
  readonly isShared: boolean;
  /** Unix ms after which it is no longer valid; null: no limit. */
  readonly expiresAt: number | null;
}

/**
 * Caches the error pages of anonymous visitors: the number of missing addresses is unlimited, and
 * their pages are the same. A change of the content or of the theme drops all entries.
 */
export class ErrorPages {
  readonly #pages: CacheSpace<ErrorDocument>;
  #theme: ActiveTheme | null = null;

  constructor(caches: Pick<Caches, "open">) {
    this.#pages = caches.open<ErrorDocument>("error-pages", {
      maxBytes: MAX_BYTES,
      maxEntries: MAX_PAGES,
      sizeOf: ({ answer }) => answer.body.length,
    });
  }

  clear(): void {
    this.#pages.clear();
  }

  /**
   * The cached page of a key, or the result of `render`, which runs once for concurrent requests.
   */
  async get(
    theme: ActiveTheme,
    key: string,
    render: () => Promise<ErrorDocument>,
  ): Promise<Answer> {
    if (theme !== this.#theme) this.clear();
    this.#theme = theme;
    const { answer } = await this.#pages.get(key, async (entry) => {
      const page = await render();
      entry.private = !page.isShared;
      entry.until = page.expiresAt;
      return page;
    });
    return { ...answer };
  }
}
