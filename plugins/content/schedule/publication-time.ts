/** Decides when a page is public: a schedule publishes a page by its times, which are compared at each request. */
import type { PageEntry } from "../contract.js";

/** The fields that decide when a page is public. */
export type Release = Pick<PageEntry, "published" | "status" | "publishAt" | "unpublishAt">;

/** True when its status lets it be public. */
export function isPublished({ published, status }: Pick<Release, "published" | "status">): boolean {
  return published && status === "published";
}

/** True when the page is released at `now`, regardless of the viewer. */
export function isReleased(entry: Release, now: number): boolean {
  if (!isPublished(entry)) return false;
  if (entry.publishAt !== null && now < entry.publishAt) return false;
  return entry.unpublishAt === null || now < entry.unpublishAt;
}

/** True for a page that every visitor sees at any time. */
export function isAlwaysPublic(entry: Release & Pick<PageEntry, "roles">): boolean {
  return entry.roles === null && isPublished(entry) && listBoundaries(entry).length === 0;
}

/** True when `next` makes a page public at any time from `now` on at which `before` does not. */
export function bringsOut(before: Release | null, next: Release, now: number): boolean {
  const was = before === null ? null : publicPeriod(before, now);
  const is = publicPeriod(next, now);
  return is !== null && (was === null || is.from < was.from || is.until > was.until);
}

/** When `next` makes a page public that was not public before, Unix ms; null: it does not. */
export function firstPublication(
  before: Release | null,
  next: Release | null,
  now: number,
): number | null {
  const wasOut = before !== null && isPublished(before) && (before.publishAt ?? now) <= now;
  if (next === null || wasOut || !bringsOut(before, next, now)) return null;
  return publicPeriod(next, now)?.from ?? null;
}

/** The period from `now` on in which a page is public, Unix ms; null: never. */
function publicPeriod(release: Release, now: number): { from: number; until: number } | null {
  const from = Math.max(release.publishAt ?? now, now);
  const until = release.unpublishAt ?? Number.POSITIVE_INFINITY;
  return isPublished(release) && from < until ? { from, until } : null;
}

/** The times at which the page appears or disappears; empty for a page that is not released. */
export function listBoundaries(entry: Release): number[] {
  if (!isPublished(entry)) return [];
  return [entry.publishAt, entry.unpublishAt].filter((time) => time !== null);
}

/** The number of boundaries that have passed. */
export function countPassed(boundaries: readonly number[], now: number): number {
  let low = 0;
  let high = boundaries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((boundaries[middle] ?? 0) <= now) low = middle + 1;
    else high = middle;
  }
  return low;
}
