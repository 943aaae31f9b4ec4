import assert from "node:assert/strict";
import check from "fast-check";
import { readYamlMap } from "../../../../plugins/flex/records/flex-files.js";
import {
  formatRecord,
  isProblem,
  toStoredRecord,
  readVersion,
} from "../../../../plugins/flex/records/record-file.js";
import { flexField, flexType } from "../../../support/content/flex-type.js";

const type = flexType([flexField("name", "text"), flexField("price", "number")]);
const place = { type, id: "abc", hash: "h", fallbackTime: 77 };

describe("toStoredRecord", () => {
  it("shows meta fields first, then the type's own", () => {
    const stored = toStoredRecord(
      { price: "3", _createdAt: 5, _updatedAt: 6, name: "a", _id: "other" },
      place,
    );
    assert.ok(!isProblem(stored));
    assert.equal(
      stored.json,
      '{"_id":"abc","_type":"product","_createdAt":5,"_updatedAt":6,"name":"a","price":3}',
    );
    assert.deepEqual(JSON.parse(stored.json), stored.record);
    assert.ok(stored.isPublished);
  });

  it("uses the file's time for a record without times", () => {
    for (const time of [undefined, "soon", -1, Number.NaN]) {
      const stored = toStoredRecord({ _createdAt: time, _updatedAt: time }, place);
      assert.ok(!isProblem(stored));
      assert.deepEqual([stored.record._createdAt, stored.record._updatedAt], [77, 77]);
    }
  });

  it("shows no field that the type does not declare", () => {
    const stored = toStoredRecord({ name: "a", password: "canary", _secret: "canary" }, place);
    assert.ok(!isProblem(stored) && !stored.json.includes("canary"));
  });
});

describe("formatRecord", () => {
  it("writes meta keys first, then fields by name, without others' meta keys", () => {
    const text = formatRecord({ b: 1, _updatedAt: 2, a: "x", _id: "i", _createdAt: 1, _type: "t" });
    assert.equal(text, "_id: i\n_createdAt: 1\n_updatedAt: 2\na: x\nb: 1\n");
  });

  it("writes records that are read back unchanged", () => {
    const fields = check.dictionary(
      check.stringMatching(/^[a-z][a-zA-Z0-9]{0,9}$/),
      check.jsonValue(),
    );
    check.assert(
      check.property(fields, (source) => {
        const result = readYamlMap(formatRecord({ ...source, _id: "i" }));
        assert.ok(result.ok, JSON.stringify(result));
        assert.deepEqual(
          JSON.parse(JSON.stringify(result.value)),
          JSON.parse(JSON.stringify({ ...source, _id: "i" })),
        );
      }),
    );
  });
});

describe("versionOf", () => {
  it("is 0 for a record without a version", () => {
    assert.deepEqual(
      [
        {},
        { _schemaVersion: 3 },
        { _schemaVersion: "3" },
        { _schemaVersion: -1 },
        { _schemaVersion: 1.5 },
      ].map(readVersion),
      [0, 3, 0, 0, 0],
    );
  });
});
