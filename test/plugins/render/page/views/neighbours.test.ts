import assert from "node:assert/strict";
import fc from "fast-check";
import type { PageEntry } from "../../../../../plugins/content/contract.js";
import { findNeighbours } from "../../../../../plugins/render/page/views/page-links.js";

const entryOf = (route: string, date: string | null): PageEntry =>
  ({ route, date, title: route, lang: "en" }) as unknown as PageEntry;
const viewOf = (entries: readonly PageEntry[]) => ({ children: () => entries });
const href = (route: string): string => `/en${route}`;

describe("neighboursOf", () => {
  it("returns title and address of the siblings before and after by date", () => {
    const entries = [
      entryOf("/blog/a", "2026-01-01"),
      entryOf("/blog/b", "2026-01-03"),
      entryOf("/blog/c", "2026-01-02"),
      entryOf("/blog/d", null),
    ];
    assert.deepEqual(findNeighbours(viewOf(entries), entryOf("/blog/c", "2026-01-02"), href), {
      older: { title: "/blog/a", url: "/en/blog/a" },
      newer: { title: "/blog/b", url: "/en/blog/b" },
    });
  });

  it("returns none for a page without a date and for the home page", () => {
    const entries = [entryOf("/a", "2026-01-01")];
    const none = { older: null, newer: null };
    assert.deepEqual(findNeighbours(viewOf(entries), entryOf("/b", null), href), none);
    assert.deepEqual(findNeighbours(viewOf(entries), entryOf("/", "2026-01-02"), href), none);
  });

  it("visits all dated siblings once, including those of one day", () => {
    const dates = fc.array(fc.constantFrom("2026-01-01", "2026-01-02", "2026-02-01"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(dates, (list) => {
        const entries = list.map((date, index) => entryOf(`/blog/${index}`, date));
        const sorted = entries.toSorted((a, b) =>
          `${a.date} ${a.route}` < `${b.date} ${b.route}` ? -1 : 1,
        );
        for (const [index, entry] of sorted.entries()) {
          const { older, newer } = findNeighbours(viewOf(entries), entry, (route) => route);
          assert.equal(older?.url, sorted[index - 1]?.route);
          assert.equal(newer?.url, sorted[index + 1]?.route);
        }
      }),
    );
  });
});
