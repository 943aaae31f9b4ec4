import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TurnQueue } from "#lib/concurrency";

/** Runs longer than a turn may take. */
function fillTurn(): void {
  const end = performance.now() + 5;
  while (performance.now() < end);
}

describe("TurnQueue", () => {
  it("runs work at once while the turn has time left", () => {
    const queue = new TurnQueue(10);
    const done = new Array<number>();
    queue.enter(() => done.push(1));
    queue.enter(() => done.push(2));
    assert.deepEqual(done, [1, 2]);
  });

  it("runs work that does not fit into a turn in the next ones, in order", async () => {
    const queue = new TurnQueue(10);
    const done = new Array<number>();
    for (const at of [1, 2, 3]) {
      queue.enter(() => {
        done.push(at);
        fillTurn();
      });
    }
    assert.deepEqual(done, [1]);
    await nextTurn();
    assert.deepEqual(done, [1, 2]);
    await nextTurn();
    assert.deepEqual(done, [1, 2, 3]);
    assert.equal(queue.waiting, 0);
  });

  it("runs work of later turns in the asynchronous context of its request", async () => {
    const queue = new TurnQueue(10);
    const request = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    for (const name of ["first", "second", "third"]) {
      request.run(name, () =>
        queue.enter(() => {
          seen.push(request.getStore());
          fillTurn();
        }),
      );
    }
    while (queue.waiting > 0) await nextTurn();
    assert.deepEqual(seen, ["first", "second", "third"]);
  });

  it("runs work behind the rest, and the keys take turns", async () => {
    const queue = new TurnQueue(10);
    const done = new Array<string>();
    const work = (name: string) => (): void => void done.push(name);
    for (const name of ["a1", "a2", "a3", "b1", "c1"]) {
      queue.enterBehind(name.charAt(0), work(name));
    }
    queue.enter(fillTurn);
    queue.enter(work("request"));
    assert.deepEqual(done, []);
    while (done.length < 6) await nextTurn();
    assert.deepEqual(done, ["request", "a1", "b1", "c1", "a2", "a3"]);
  });

  it("runs some of the work behind the rest in each turn, however much is entered", async () => {
    const queue = new TurnQueue(10);
    const done = new Array<number>();
    for (const at of [1, 2, 3]) queue.enterBehind("a", () => done.push(at));
    for (const turn of [1, 2, 3]) {
      queue.enter(fillTurn);
      queue.enter(fillTurn);
      await nextTurn();
      assert.equal(done.length, turn);
    }
  });

  it("leaves turns to new connections before it runs work behind the rest", async () => {
    const queue = new TurnQueue(10);
    const done = new Array<number>();
    queue.enter(() => undefined);
    queue.accepted();
    queue.enterBehind("a", () => done.push(1));
    await nextTurn();
    assert.deepEqual(done, []);
    while (done.length === 0) await nextTurn();
  });

  it("rejects work beyond its limit", async () => {
    const queue = new TurnQueue(2);
    const taken = [1, 2, 3, 4].map(() => queue.enter(fillTurn));
    assert.deepEqual(taken, [true, true, true, false]);
    while (queue.waiting > 0) await nextTurn();
    assert.equal(
      queue.enter(() => undefined),
      true,
    );
  });

  it("reserves turns for new connections while they arrive, but not all of them", async () => {
    const queue = new TurnQueue(10);
    const state = { turns: 0, isDone: false };
    queue.enter(fillTurn);
    queue.enter(() => (state.isDone = true));
    queue.accepted();
    await nextTurn();
    assert.equal(state.isDone, false);
    while (!state.isDone) {
      queue.accepted();
      await nextTurn();
    }
  });

  it("leaves 64 turns in a row to new connections, however long they take", async () => {
    const queue = new TurnQueue(10);
    const done = new Array<number>();
    queue.enter(fillTurn);
    queue.enter(() => done.push(1));
    queue.enterBehind("a", () => done.push(2));
    for (let turn = 0; turn < 64; turn += 1) {
      queue.accepted();
      await nextTurn();
      // The machine gives its processors to other programs.
      if (turn % 8 === 0) fillTurn();
      assert.deepEqual(done, [], `turn ${turn}`);
    }
    queue.accepted();
    await nextTurn();
    assert.deepEqual(done, [1, 2]);
  });
});
