import { LRUCache } from "lru-cache";
import { jsxTemplate } from "preact/jsx-runtime";
import { Fragment, h } from "preact";
import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";

/** Characters of all kept markup of a theme. */
const MOST_CHARACTERS = 4 * 1_024 * 1_024;

/**
 * Parts of pages that are the same on many of them (header, footer), drawn once for what they are
 * made of. Objects count by identity: what changes is another object, and then another markup.
 */
export class KeptMarkup {
  readonly #made = new LRUCache<string, string>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ length }, key) => length + key.length + 100,
  });
  readonly #ids = new WeakMap<object, number>();
  #lastId = 0;

  /**
   * The markup of `draw`, which is asked once for as long as everything in `by` is the same. It is
   * drawn apart from the tree around it: without its contexts. Throws what `draw` throws.
   */
  readonly once = (name: string, by: readonly unknown[], draw: () => ComponentChildren): VNode => {
    const key = by.reduce<string>((text, part) => `${text}\n${this.#keyOf(part)}`, name);
    const known = this.#made.get(key);
    if (known !== undefined) return jsxTemplate([known]);
    const html = renderToString(h(Fragment, null, draw()));
    this.#made.set(key, html);
    return jsxTemplate([html]);
  };

  #keyOf(part: unknown): string {
    if ((typeof part !== "object" && typeof part !== "function") || part === null) {
      return typeof part === "string" ? JSON.stringify(part) : String(part);
    }
    const known = this.#ids.get(part);
    if (known !== undefined) return `#${known}`;
    this.#lastId += 1;
    this.#ids.set(part, this.#lastId);
    return `#${this.#lastId}`;
  }
}
