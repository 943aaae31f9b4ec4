import assert from "node:assert/strict";
import { deepFreeze } from "../../../kernel/config/resolve-config.js";

describe("deepFreeze", () => {
  it("freezes mappings and lists deeply, and returns them", () => {
    const value = { a: [{ b: { c: 1 } }] };
    assert.equal(deepFreeze(value), value);
    assert.ok([value, value.a, value.a[0], value.a[0]?.b].every(Object.isFrozen));
  });

  it("leaves other objects and plain values unchanged", () => {
    const map = new Map([["a", 1]]);
    assert.deepEqual(deepFreeze({ map, none: null, text: "x" }), { map, none: null, text: "x" });
    assert.equal(Object.isFrozen(map), false);
  });

  it("handles circular values", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    assert.ok(Object.isFrozen(deepFreeze(circle)));
  });
});
