/**
 * Strong validators, `Cache-Control` and answers held for anonymous visitors until what they were made from changes.
 * Provides: cache.
 * Uses: health.
 * Fires: onCacheHit, onCacheMiss, onCacheInvalidate.
 */
import { definePlugin } from "#kernel";
import { HeldAnswers } from "./held-answers.js";
import { HeldKeys } from "./held-keys.js";
import { answerFilter, heldStep } from "./middleware.js";
import { settings } from "./settings.js";

/** Bytes of all held bodies together. */
const MOST_BYTES = 128 * 1_024 * 1_024;
/** Entries when `page_cache` does not say. */
const MOST_ENTRIES = 10_000;

export default definePlugin({
  name: "cache",
  version: "1.0.0",
  // A filter that notes answers sees them before one that cuts them to 304.
  after: ["security", "health", "content", "cdn"],
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
    site.changes.react("cache", ({ tags }) =>
      told(tags === null ? held.clear() : held.invalidate(tags)),
    );
    const publish = (tags: ReadonlySet<string> | null): void => {
      // The feed logs what a listener throws.
      site.changes.publish({ changes: [], tags }).catch(() => undefined);
    };
    site.provide("cache", {
      stats: () => held.stats(),
      invalidate: (tags) => publish(new Set(tags)),
      clear: () => publish(null),
    });
    const store = { held, keys: new HeldKeys(site.hooks) };
    site.http.filter(answerFilter(site, holds ? store : null));
    if (holds) site.http.edge("held", heldStep(site, store));
    site.find("health")?.addSection("cache", () => held.stats());
  },
});
