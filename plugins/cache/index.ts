/**
 * Strong validators, `Cache-Control` and answers held for anonymous visitors until what they were made from changes.
 * Provides: cache.
 * Uses: content, health.
 * Fires: onCacheHit, onCacheMiss, onCacheInvalidate.
 */
import { definePlugin } from "#kernel";
import { HeldAnswers } from "./held-answers.js";
import { answerFilter, heldStep } from "./middleware.js";
import { settings } from "./settings.js";

/** Bytes of all held bodies together. */
const MOST_BYTES = 128 * 1_024 * 1_024;
/** Entries when `page_cache` does not say. */
const MOST_ENTRIES = 10_000;

export default definePlugin({
  name: "cache",
  version: "1.0.0",
  after: ["security", "health", "content"],
  settings,
  fires: { onCacheHit: "notify", onCacheMiss: "notify", onCacheInvalidate: "notify" },
  setup(site) {
    const { enabled, max_entries: maxEntries } = site.settings.system.page_cache;
    const held = new HeldAnswers({
      maxEntries: enabled ? maxEntries : MOST_ENTRIES,
      maxBytes: MOST_BYTES,
    });
    const holds = enabled || site.env.mode === "production";
    const told = (keys: string[]): void => {
      if (keys.length > 0) site.hooks.notify("onCacheInvalidate", { keys });
    };
    site.provide("cache", {
      stats: () => held.stats(),
      invalidate: (tags) => told(held.invalidate(tags)),
      clear: () => told(held.clear()),
    });
    site.http.filter(answerFilter(site, holds ? held : null));
    if (holds) site.http.edge("held", heldStep(site, held));
    site.find("content")?.subscribe(({ tags }) => told(held.invalidate(tags)));
    site.find("health")?.addSection("cache", () => held.stats());
  },
});
