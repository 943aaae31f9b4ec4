import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { LineBatch } from "../../../lib/log/line-batch.js";

describe("LineBatch", () => {
  const open = () => {
    const written: string[] = [];
    const lines = new LineBatch({
      write: (text) => written.push(text),
      flushSync: () => void written.push("flushed"),
    });
    return { written, lines };
  };

  it("passes lines on in order, together, once there are many", () => {
    const { written, lines } = open();
    const all = Array.from({ length: 40 }, (_, at) => `${at} ${"x".repeat(1_000)}\n`);
    for (const line of all) lines.write(line);
    assert.equal(written.length, 2);
    lines.handOn();
    assert.equal(written.join(""), all.join(""));
  });

  it("writes pending lines on request, and no line twice", () => {
    const { written, lines } = open();
    lines.write("one\n");
    lines.flushSync();
    lines.flushSync();
    assert.deepEqual(written, ["one\n", "flushed", "flushed"]);
  });

  it("delays no line for long", async () => {
    const { written, lines } = open();
    lines.write("one\n");
    lines.write("two\n");
    while (written.length === 0) await sleep(10);
    assert.deepEqual(written, ["one\ntwo\n"]);
  });
});
