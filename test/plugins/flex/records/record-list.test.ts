import assert from "node:assert/strict";
import check from "fast-check";
import type { FlexListQuery } from "../../../../plugins/flex/contract.js";
import {
  isProblem,
  toStoredRecord,
  type StoredRecord,
} from "../../../../plugins/flex/records/record-file.js";
import { jsonArray, RecordList } from "../../../../plugins/flex/records/record-list.js";
import { flexField, flexType } from "../../../support/content/flex-type.js";

const type = flexType([
  flexField("name", "text"),
  flexField("price", "number"),
  flexField("tags", "list"),
]);

function list(sources: readonly Record<string, unknown>[]): RecordList {
  const records = new Map<string, StoredRecord>();
  for (const [index, source] of sources.entries()) {
    const id = `r${index}`;
    const stored = toStoredRecord(source, { type, id, hash: "", fallbackTime: 0 });
    assert.ok(!isProblem(stored));
    records.set(id, stored);
  }
  return new RecordList(type, records, "UTC");
}
const ids = (records: RecordList, query?: FlexListQuery) =>
  records
    .select(query)
    .items.map(({ record }) => record._id)
    .join(" ");

describe("RecordList", () => {
  const records = list([
    { _createdAt: 1, name: "beta", price: 10, tags: ["x"] },
    { _createdAt: 3, name: "Alpha", price: 9, tags: ["x", "y"] },
    { _createdAt: 2, name: "gamma" },
    { _createdAt: 3, name: "delta", price: 100, published: false },
    { _createdAt: 3, name: "Émile", price: 9 },
  ]);

  it("lists the newest first, ties by id, unpublished ones never", () => {
    assert.equal(ids(records), "r1 r4 r2 r0");
    assert.deepEqual(
      records.all().map(({ record }) => record._id),
      ["r1", "r3", "r4", "r2", "r0"],
    );
  });

  it("orders numbers as numbers, texts without regard to case and accents, missing values last", () => {
    assert.equal(ids(records, { order: { by: "price", dir: "asc" } }), "r1 r4 r0 r2");
    assert.equal(ids(records, { order: { by: "price", dir: "desc" } }), "r0 r1 r4 r2");
    assert.equal(ids(records, { order: { by: "name", dir: "asc" } }), "r1 r0 r4 r2");
  });

  it("writes the same JSON as its records", () => {
    const all = records.select().items;
    assert.deepEqual(
      JSON.parse(records.json().toString()),
      all.map(({ record }) => record),
    );
    assert.equal(jsonArray(all), records.json().toString());
    assert.equal(list([]).json().toString(), "[]");
  });

  it("finds the same as a plain filter and sort", () => {
    const source = check.record(
      {
        _createdAt: check.nat(5),
        price: check.nat(3),
        tags: check.array(check.constantFrom("x", "y"), { minLength: 1 }),
      },
      { requiredKeys: ["_createdAt"] },
    );
    check.assert(
      check.property(check.array(source), check.constantFrom("asc", "desc"), (sources, dir) => {
        const found = list(sources).select({
          order: { by: "price", dir },
          filter: { tags: ["x"] },
        });
        const naive = sources.filter(({ tags }) => tags?.includes("x"));
        assert.equal(found.total, naive.length);
        const prices = found.items.map(({ record }) => record["price"]);
        const known = prices.filter((price) => price !== undefined);
        assert.deepEqual(prices.slice(0, known.length), known, "missing ones last");
        const sorted = known.toSorted((a, b) => (Number(a) - Number(b)) * (dir === "asc" ? 1 : -1));
        assert.deepEqual(known, sorted);
      }),
    );
  });
});
