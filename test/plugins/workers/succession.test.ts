import assert from "node:assert/strict";
import { Succession } from "../../../plugins/workers/served-site.js";

describe("Succession", () => {
  it("lets the oldest site lead until it has left, then the next one, and never two", () => {
    const succession = new Succession();
    const first = succession.join();
    const second = succession.join();
    const log: string[] = [];
    first.workers.whenLeader(() => log.push("first leads"));
    second.workers.whenLeader(() => log.push("second leads"));
    assert.deepEqual(log, ["first leads"]);
    assert.deepEqual([first.workers.isLeader, second.workers.isLeader], [true, false]);
    assert.deepEqual([first.workers.isFirst, second.workers.isFirst], [true, false]);
    first.leave();
    assert.deepEqual(log, ["first leads", "second leads"]);
    assert.equal(second.workers.isLeader, true);
  });

  it("passes calls to the leader and to the others, and skips those without a handler", async () => {
    const succession = new Succession();
    const [first, second, third] = [succession.join(), succession.join(), succession.join()];
    first.workers.handle("name", (input) => `first ${String(input)}`);
    third.workers.handle("name", () => "third");
    assert.equal(await second.workers.ask("leader", "name", 1), "first 1");
    const replies = await second.workers.askOthers("name", 2);
    assert.deepEqual(
      replies.map(({ value }) => value),
      ["first 2", "third"],
    );
    await assert.rejects(second.workers.ask("leader", "unknown"));
  });

  it("keeps the leader when a site that was to replace it leaves", () => {
    const succession = new Succession();
    const first = succession.join();
    succession.join().leave();
    assert.equal(first.workers.isLeader, true);
  });
});
