import assert from "node:assert/strict";
import { withPatience } from "../../kernel/patience.js";

describe("withPatience", () => {
  const silent = { sayEveryMs: 60_000, say: () => undefined, limitMs: null };

  it("hands on what comes out at once or later, and what is thrown", async () => {
    assert.equal(await withPatience(() => 1, silent), 1);
    assert.equal(await withPatience(async () => 2, { ...silent, limitMs: 60_000 }), 2);
    await assert.rejects(
      withPatience(() => Promise.reject(new Error("broken")), silent),
      /broken/,
    );
    const throws = (): never => {
      throw new Error("at once");
    };
    await assert.rejects(withPatience(throws, silent), /at once/);
  });

  it("says again and again that it waits, until it gives up", async () => {
    const said: number[] = [];
    const patience = { sayEveryMs: 5, say: (seconds: number) => said.push(seconds), limitMs: 60 };
    const never = withPatience(() => new Promise(() => undefined), patience);
    await assert.rejects(never, /did not finish within 0\.06 s/);
    assert.ok(said.length > 0);
  });
});
