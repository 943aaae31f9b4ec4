import assert from "node:assert/strict";
import { KeyedLock } from "#kernel";

const rest = () => new Promise((resolve) => setImmediate(resolve));

describe("KeyedLock", () => {
  it("runs work under one key in order, one at a time, and other keys beside it", async () => {
    const lock = new KeyedLock();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} starts`);
      await rest();
      steps.push(`${name} ends`);
    };
    await Promise.all([
      lock.run("a", work("1")),
      lock.run("a", work("2")),
      lock.run("b", work("3")),
    ]);
    assert.deepEqual(steps, ["1 starts", "3 starts", "1 ends", "2 starts", "3 ends", "2 ends"]);
  });

  it("passes on results and errors, and continues after an error", async () => {
    const lock = new KeyedLock();
    const failing = lock.run("a", () => Promise.reject(new Error("no")));
    const next = lock.run("a", () => 7);
    await assert.rejects(failing, { message: "no" });
    assert.equal(await next, 7);
  });
});
