import assert from "node:assert/strict";
import fc from "fast-check";
import { compareTexts } from "#lib/text";
import { runAtOnce } from "#lib/concurrency";
import type { PageEntry } from "../../../../plugins/content/contract.js";
import {
  toComparator,
  effectiveOrder,
  isListable,
  Orders,
  type Direction,
  type OrderBy,
} from "../../../../plugins/content/index/orders.js";
import { pageEntry } from "../../../support/content/markdown-pages.js";

const page = (name: string, fields: Partial<PageEntry> = {}): PageEntry =>
  pageEntry(`${name}/post.md`, { title: name, routable: true, ...fields });
const routes = (entries: readonly PageEntry[]): string[] => entries.map(({ route }) => route);
const ways: readonly OrderBy[] = ["tree", "date", "title", "order", "route"];
const directions: readonly Direction[] = ["asc", "desc"];

describe("compareTexts", () => {
  for (const [a, b, sign] of [
    ["a", "b", -1],
    ["B", "a", 1],
    ["a", "A", 0],
    ["Zebra", "zoo", -1],
    ["ä", "b", -1],
    ["a", "ä", -1],
    ["Éclair", "eclair", 1],
    ["10", "9", -1],
  ] as const) {
    it(`puts ${a} and ${b} in the order ${sign}`, () => {
      assert.equal(Math.sign(compareTexts(a, b)), sign);
      assert.equal(Math.sign(compareTexts(b, a)), sign === 0 ? 0 : -sign);
    });
  }

  it("sorts plain titles as the collation does", () => {
    const collator = new Intl.Collator("en", { sensitivity: "accent" });
    const plain = fc.stringMatching(/^[abzABZ019 ]{0,8}$/);
    fc.assert(
      fc.property(plain, plain, (a, b) => {
        assert.equal(Math.sign(compareTexts(a, b)), Math.sign(collator.compare(a, b)));
      }),
    );
  });
});

describe("effectiveOrder", () => {
  it("puts pages without an order last", () => {
    const [none, first] = [{ order: 0 }, { order: 0, isOrdered: true }];
    assert.equal(effectiveOrder({ order: 3 }), 3);
    assert.ok(effectiveOrder(none) > effectiveOrder({ order: 1_000_000 }));
    assert.ok(effectiveOrder(first) < effectiveOrder({ order: 1 }));
  });
});

describe("comparatorOf", () => {
  it("sorts pages of one day by time, those without a time first", () => {
    const day = { date: "2024-05-01" };
    const noon = page("a", { ...day, moment: Date.UTC(2024, 4, 1, 12) });
    const morning = page("b", { ...day, moment: Date.UTC(2024, 4, 1, 8) });
    const wholeDay = page("c", day);
    const sorted = (dir: Direction) =>
      routes([noon, wholeDay, morning].toSorted(toComparator("date", dir)));
    assert.deepEqual(sorted("asc"), routes([wholeDay, morning, noon]));
    assert.deepEqual(sorted("desc"), routes([noon, morning, wholeDay]));
  });

  it("breaks ties of order by route, not by title", () => {
    const [first, second] = [
      page("a", { order: 1, title: "Z", route: "/a" }),
      page("b", { order: 1, title: "A", route: "/b" }),
    ];
    for (const dir of directions) assert.ok(toComparator("order", dir)(first, second) < 0, dir);
  });

  it("sorts equal pages by route in either direction", () => {
    const [a, b] = [page("a", { date: "2024-01-01" }), page("b", { date: "2024-01-01" })];
    for (const dir of directions) assert.ok(toComparator("date", dir)(a, b) < 0, dir);
  });
});

describe("isListable", () => {
  it("is false for modules and pages without a route", () => {
    assert.equal(isListable(page("a")), true);
    assert.equal(isListable(page("a", { isModule: true })), false);
    assert.equal(isListable(page("a", { routable: false })), false);
  });
});

describe("Orders", () => {
  const entries = [
    page("b", { order: 1, date: "2024-01-01" }),
    page("c", { order: 0, date: "2024-03-01" }),
    page("a", { order: 2, date: "2024-02-01" }),
    page("m", { isModule: true }),
  ];

  for (const [by, dir, expected] of [
    ["tree", "asc", ["/b", "/c", "/a"]],
    ["tree", "desc", ["/a", "/c", "/b"]],
    ["date", "desc", ["/c", "/a", "/b"]],
    ["title", "asc", ["/a", "/b", "/c"]],
    ["title", "desc", ["/c", "/b", "/a"]],
    ["order", "asc", ["/b", "/a", "/c"]],
    ["route", "desc", ["/c", "/b", "/a"]],
  ] as const) {
    it(`sorts by ${by} ${dir} and omits modules`, () => {
      assert.deepEqual(routes(new Orders(entries).get(by, dir)), expected);
    });
  }

  it("sorts each list once", () => {
    const orders = new Orders(entries);
    assert.equal(orders.get("date", "asc"), orders.get("date", "asc"));
  });

  it("merges a change with the same result as a full sort", () => {
    const entry = fc.record({
      name: fc.stringMatching(/^[a-e]{1,3}$/),
      date: fc.constantFrom(null, "2023-01-01", "2024-01-01"),
      title: fc.constantFrom("a", "B", "ä", "c"),
      order: fc.integer({ min: 0, max: 2 }),
      isModule: fc.boolean(),
    });
    const tree = fc.uniqueArray(entry, { selector: ({ name }) => name, maxLength: 12 });
    fc.assert(
      fc.property(tree, fc.nat(12), fc.nat(12), (rows, from, until) => {
        const all = rows.map(({ name, ...fields }) => page(name, fields));
        const [removed, added] = [all.slice(0, from), all.slice(until)];
        const kept = all.filter((one) => !added.includes(one));
        const before = new Orders(kept);
        for (const by of ways) for (const dir of directions) before.get(by, dir);
        const after = all.filter((one) => !removed.includes(one) || added.includes(one));
        const gone = removed.filter((one) => !added.includes(one));
        const merged = runAtOnce(before.next(after, { removed: gone, added }));
        const fresh = new Orders(after);
        for (const by of ways) {
          for (const dir of directions) {
            assert.deepEqual(
              routes(merged.get(by, dir)),
              routes(fresh.get(by, dir)),
              `${by} ${dir}`,
            );
          }
        }
      }),
    );
  });
});
