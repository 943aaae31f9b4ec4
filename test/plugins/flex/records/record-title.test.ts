import assert from "node:assert/strict";
import { recordDay, recordRoute, recordTitle } from "../../../../plugins/flex/listed-record.js";
import { flexField, flexType } from "../../../support/content/flex-type.js";

const meta = { _id: "abc", _type: "product", _createdAt: Date.UTC(2026, 0, 2, 23), _updatedAt: 0 };
const type = flexType([flexField("price", "number"), flexField("label", "text")]);

describe("recordTitle", () => {
  it("is the name, else the title, else the first text, else the id", () => {
    assert.equal(recordTitle(type, { ...meta, label: "L", title: "T", name: "N" }), "N");
    assert.equal(recordTitle(type, { ...meta, label: "L", title: "T", name: "" }), "T");
    assert.equal(recordTitle(type, { ...meta, label: "L", title: 7 }), "L");
    assert.equal(recordTitle(type, meta), "abc");
  });
});

describe("recordDay", () => {
  it("is the day of creation in the site's time zone, null for an out-of-range time", () => {
    assert.equal(recordDay(meta, "UTC"), "2026-01-02");
    assert.equal(recordDay({ ...meta, _createdAt: Date.UTC(2026, 0, 2, 3) }, "UTC"), "2026-01-02");
    assert.equal(
      recordDay({ ...meta, _createdAt: Date.UTC(2026, 0, 2, 3) }, "America/New_York"),
      "2026-01-01",
    );
    assert.equal(recordDay({ ...meta, _createdAt: 1e300 }, "UTC"), null);
    assert.equal(recordDay({ ...meta, _createdAt: 8.64e15 }, "Asia/Tokyo"), null);
    assert.equal(recordDay({ ...meta, _createdAt: -8.64e15 }, "America/New_York"), null);
  });
});

describe("recordRoute", () => {
  it("is below /flex", () => assert.equal(recordRoute(meta), "/flex/product/abc"));
});
