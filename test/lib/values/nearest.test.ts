import assert from "node:assert/strict";
import { nearest } from "../../../lib/values/nearest.js";

describe("the nearest name", () => {
  const keys = ["title", "description", "url", "feed", "content"];
  const cases: [string, string | null][] = [
    ["titel", "title"],
    ["Title", "title"],
    ["contnt", "content"],
    ["desciption", "description"],
    ["uri", "url"],
    ["fede", "feed"],
    ["ulr", "url"],
    ["xyzzy", null],
    ["", null],
    ["t", null],
  ];
  for (const [name, meant] of cases) {
    it(`of ${JSON.stringify(name)} is ${meant ?? "none"}`, () => {
      assert.equal(nearest(name, keys), meant);
    });
  }

  it("is none without candidates, and for a very long name", () => {
    assert.equal(nearest("title", []), null);
    assert.equal(nearest("t".repeat(1_000_000), keys), null);
  });
});
