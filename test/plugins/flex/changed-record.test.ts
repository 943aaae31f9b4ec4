import assert from "node:assert/strict";
import { parse } from "yaml";
import { formatYaml } from "#lib/yaml";
import { changedRecord } from "../../../plugins/flex/changed-record.js";
import { flexField, flexType } from "../../support/content/flex-type.js";

describe("changedRecord", () => {
  const type = flexType([flexField("n", "number")], { version: 3 });
  const update = (before: Record<string, unknown>, data: Record<string, unknown>) => {
    const change = { op: "update", type: "product", id: "a", data } as const;
    const { file, result } = changedRecord(change, {
      type,
      id: "a",
      file: { text: formatYaml(before), values: before, written: before, fallbackTime: 3 },
      moment: { now: 9, timezone: "UTC" },
      mayPublish: true,
    });
    return { result, file: file === null ? null : parse(file.text) };
  };

  it("merges, preserves unknown fields, and sets the meta fields itself", () => {
    const before = { _createdAt: 5, _schemaVersion: 2, n: 1, note: "kept" };
    const { file, result } = update(before, { n: "2", _createdAt: 7, other: 1 });
    assert.deepEqual(file, {
      _createdAt: 5,
      _updatedAt: 9,
      _schemaVersion: 3,
      n: 2,
      note: "kept",
    });
    assert.deepEqual([result.status, result.record?.["n"]], ["updated", 2]);
  });

  it("hides a record for published: false, and shows it again for true", () => {
    assert.equal(update({ n: 1 }, { published: false }).file.published, false);
    assert.equal(update({ n: 1, published: false }, { n: 2 }).file.published, false);
    assert.equal(update({ n: 1, published: false }, { published: true }).file.published, undefined);
  });

  it("rejects values that do not fit the type", () => {
    const { file, result } = update({ n: 1 }, { n: "many" });
    assert.equal(file, null);
    assert.deepEqual([result.code, result.errors[0]?.field], ["ERR_FLEX_INVALID", "n"]);
  });
});
