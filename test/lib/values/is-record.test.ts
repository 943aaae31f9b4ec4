import assert from "node:assert/strict";
import { isRecord } from "#kernel";

describe("isRecord", () => {
  it("is true for objects, false for lists, null and other values", () => {
    const values = [{}, Object.create(null), [], null, undefined, "", 1];
    assert.deepEqual(values.map(isRecord), [true, true, false, false, false, false, false]);
  });
});
