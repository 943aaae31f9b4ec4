import assert from "node:assert/strict";
import { whenThere, type Soon } from "../../../../plugins/render/page/soon.js";

describe("whenThere", () => {
  const twice = (value: number): number => value * 2;

  it("continues synchronously with a value", () => {
    assert.equal(whenThere(2, twice), 4);
  });

  it("waits for a promise at any step", async () => {
    const later: Soon<number> = Promise.resolve(2);
    assert.equal(await whenThere(later, twice), 4);
    assert.equal(await whenThere(2, (value) => whenThere(Promise.resolve(value), twice)), 4);
  });

  it("throws the errors of its steps", async () => {
    const fail = (): never => {
      throw new Error("broken");
    };
    assert.throws(() => whenThere(2, fail), /broken/);
    await assert.rejects(async () => whenThere(Promise.resolve(2), fail), /broken/);
  });
});
