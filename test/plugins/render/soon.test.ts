import assert from "node:assert/strict";
import { then, type Soon } from "../../../plugins/render/soon.js";

describe("then", () => {
  const twice = (value: number): number => value * 2;

  it("goes on at once with what is there", () => {
    assert.equal(then(2, twice), 4);
  });

  it("waits for what is not there yet, at any step", async () => {
    const later: Soon<number> = Promise.resolve(2);
    assert.equal(await then(later, twice), 4);
    assert.equal(await then(2, (value) => then(Promise.resolve(value), twice)), 4);
  });

  it("fails as its steps do", async () => {
    const fail = (): never => {
      throw new Error("broken");
    };
    assert.throws(() => then(2, fail), /broken/);
    await assert.rejects(async () => then(Promise.resolve(2), fail), /broken/);
  });
});
