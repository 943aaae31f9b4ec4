import assert from "node:assert/strict";
import fc from "fast-check";
import { Segments } from "../../../../../plugins/search/engines/builtin/segments.js";
import { Slots } from "../../../../../plugins/search/engines/builtin/segment.js";
import { sampleDocument, streamOf } from "../../../../../plugins/search/testing/engine-suite.js";

const page = (name: number | string, title = "") => sampleDocument({ route: `/${name}`, title });
const titles = (segments: Segments): string[] =>
  segments.list
    .flatMap(({ routes, titles: all, dead }) =>
      routes.map((route, doc) => (dead[doc] === 1 ? "" : `${route} ${all[doc]}`)),
    )
    .filter((row) => row !== "")
    .toSorted();

describe("the segments of an index", () => {
  it("equal a map after any changes: one living document per route", async () => {
    const change = fc.record({
      upsert: fc.array(fc.nat(20), { maxLength: 4 }),
      remove: fc.array(fc.nat(20), { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
        const segments = await Segments.build(
          streamOf([page(0, "built"), page(0, "twice"), page(1, "built")]),
          new Slots(),
        );
        const twin = new Map([
          ["/0", "built"],
          ["/1", "built"],
        ]);
        for (const [at, { upsert, remove }] of changes.entries()) {
          segments.update(
            upsert.map((name) => page(name, String(at))),
            remove.map((name) => `/${name}`),
          );
          for (const name of remove) twin.delete(`/${name}`);
          for (const name of upsert) twin.set(`/${name}`, String(at));
        }
        await segments.settled();
        assert.deepEqual(titles(segments), [...twin].map((row) => row.join(" ")).toSorted());
        for (const route of twin.keys()) assert.notEqual(segments.find(route), null);
        assert.equal(segments.find("/never"), null);
      }),
      { numRuns: 40 },
    );
  });

  it("stay few, and lose no change that happens during a merge", async () => {
    const all = Array.from({ length: 3_000 }, (_, at) => page(at, "old"));
    const segments = await Segments.build(streamOf(all), new Slots());
    segments.update(
      all.slice(0, 1_200).map(({ route }) => ({ ...page(0, "new"), route })),
      [],
    );
    segments.update([page(5, "newest")], ["/6", "/2999"]);
    await segments.settled();
    assert.ok(segments.list.length <= 3, String(segments.list.length));
    const rows = titles(segments);
    assert.equal(rows.length, 2_998);
    assert.ok(rows.includes("/5 newest") && rows.includes("/7 new") && rows.includes("/2998 old"));
  });
});
