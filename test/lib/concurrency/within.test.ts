import assert from "node:assert/strict";
import { within } from "../../../lib/concurrency/within.js";

describe("within", () => {
  const never = new Promise<number>(() => undefined);

  it("hands on what comes in time, and what is thrown", async () => {
    const late = (): never => assert.fail("it came in time");
    assert.equal(await within(60_000, Promise.resolve(1), late), 1);
    await assert.rejects(within(60_000, Promise.reject(new Error("broken")), late), /broken/);
  });

  it("goes on without what does not come: with what `late` gives or throws", async () => {
    assert.equal(await within(1, never, () => null), null);
    const late = (): never => {
      throw new Error("too late");
    };
    await assert.rejects(within(1, never, late), /too late/);
  });
});
