import assert from "node:assert/strict";
import { setupLimitMs, withPatience } from "../../../kernel/boot/patience.js";

describe("withPatience", () => {
  const silent = { work: "it", sayEveryMs: 60_000, say: () => undefined, limitMs: null };

  it("passes on a synchronous or later result, and an error", async () => {
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

  it("reports repeatedly that it waits, until it fails", async () => {
    const said: number[] = [];
    const say = (seconds: number) => said.push(seconds);
    const patience = { work: 'plugin "a": its setup', sayEveryMs: 5, say, limitMs: 60 };
    const never = withPatience(() => new Promise(() => undefined), patience);
    await assert.rejects(never, {
      code: "ERR_PLUGIN_SETUP",
      message: 'plugin "a": its setup did not finish within 0.06 s',
    });
    assert.ok(said.length > 0);
  });

  it("waits less for the setup of an optional plugin", () => {
    assert.deepEqual([setupLimitMs({ optional: true }), setupLimitMs({})], [10_000, 60_000]);
  });
});
