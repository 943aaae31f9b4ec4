import type { Caches, Clock } from "#kernel";
import { SiteCaches } from "../../kernel/caches.js";

/** Caches of no site, for what opens a space itself. */
export function testCaches(clock: Clock = { now: () => Date.now() }): Caches {
  return new SiteCaches(clock);
}
