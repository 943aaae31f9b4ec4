import assert from "node:assert/strict";
import { isRow, restorePage, toRow } from "../../../../plugins/content/index/snapshot.js";
import { indexOf } from "../../../support/content/content-tree.js";

const index = indexOf({ "a/default.md": "---\ntitle: A\ndate: today\n---\n", "b.md": "---\nx: [" });
const [page = assert.fail()] = index.pages;
const record = index.records.get("b.md") ?? assert.fail();
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("content: a row of the snapshot", () => {
  it("restores its page", () => {
    const row = throughJson(toRow(page));
    assert.ok(isRow(row));
    assert.ok(row.page);
    assert.deepEqual(restorePage(row.record, row.page), page);
    assert.equal(row.page.warnings.length, 1);
  });

  it("contains only the record of a file that is not a page", () => {
    const row = throughJson(toRow({ record }));
    assert.ok(isRow(row));
    assert.deepEqual(row, { record, page: null });
  });

  const damages: readonly unknown[] = [
    null,
    1,
    "row",
    [],
    {},
    { record: null, page: null },
    { record },
    { record: { ...record, sourcePath: 1 }, page: null },
    { record: { ...record, warnings: null }, page: null },
    { record, page: {} },
    { ...toRow(page), page: { ...toRow(page).page, own: null } },
  ];
  for (const damage of damages) {
    it(`is not ${JSON.stringify(damage).slice(0, 60)}`, () => assert.equal(isRow(damage), false));
  }
});
