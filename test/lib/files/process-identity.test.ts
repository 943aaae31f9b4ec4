import assert from "node:assert/strict";
import { isAlive, isAnotherRunning, ownIdentity } from "../../../lib/files/process-lock.js";

/** No process has it: the largest on 64-bit Linux is 4,194,304. */
const NONE = 999_999_999;

describe("isAlive", () => {
  const own = ownIdentity();
  it("identifies this process by more than its id", () => {
    assert.equal(isAlive(own), true);
    assert.equal(isAlive({ ...own, pid: NONE }), false);
    if (own.started !== null) assert.equal(isAlive({ ...own, started: "1" }), false);
  });

  it("is unknown for another machine or container", () => {
    assert.equal(isAlive({ ...own, boot: "another" }), null);
    if (own.boot !== null) assert.equal(isAlive({ ...own, namespace: "another" }), null);
  });
});

describe("isAnotherRunning", () => {
  it("checks processes of this machine, never this one", () => {
    const asked = [process.ppid, process.pid, NONE, 0, -1, 1.5, NaN];
    assert.deepEqual(asked.map(isAnotherRunning), [true, false, false, false, false, false, false]);
  });
});
