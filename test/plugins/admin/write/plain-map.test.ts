import assert from "node:assert/strict";
import { plainMap } from "../../../../plugins/admin/schemas/values.js";

describe("plainMap", () => {
  it("accepts objects unchanged", () => {
    const sent: unknown = JSON.parse('{"__proto__":{"a":1},"b":2}');
    assert.deepEqual(Object.keys(plainMap.parse(sent)), ["__proto__", "b"]);
  });
  for (const value of [null, [], "x", 1, undefined]) {
    it(`does not take ${JSON.stringify(value)}`, () => {
      assert.ok(!plainMap.safeParse(value).success);
    });
  }
});
