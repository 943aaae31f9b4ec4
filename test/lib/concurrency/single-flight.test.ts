import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { deferred } from "../../support/deferred.js";
import { SingleFlight } from "../../../lib/concurrency/single-flight.js";

const stays = new AbortController().signal;
setMaxListeners(0, stays);

function counted() {
  const { promise, resolve, reject } = deferred<string>();
  const state = { starts: 0, signals: new Array<AbortSignal>() };
  const work = (left: AbortSignal): Promise<string> => {
    state.starts += 1;
    state.signals.push(left);
    return promise;
  };
  return { work, state, resolve, reject };
}

describe("SingleFlight", () => {
  it("runs the work once for concurrent callers", async () => {
    const flight = new SingleFlight<string>();
    const { work, state, resolve } = counted();
    const joined = Array.from({ length: 200 }, () => flight.join("a", work, stays));
    resolve("done");
    const results = await Promise.all(joined.map(({ result }) => result));
    assert.equal(state.starts, 1);
    assert.deepEqual(new Set(results), new Set(["done"]));
    assert.equal(joined.filter(({ isFirst }) => isFirst).length, 1);
  });

  it("runs the work again once the last run has ended or failed", async () => {
    const flight = new SingleFlight<string>();
    const bad = counted();
    const { result } = flight.join("a", bad.work, stays);
    bad.reject("broken");
    await assert.rejects(
      result.catch((error: unknown) => Promise.reject(new Error(String(error)))),
    );
    const good = counted();
    const next = flight.join("a", good.work, stays);
    good.resolve("fine");
    assert.equal(await next.result, "fine");
    assert.ok(next.isFirst);
  });

  it("keeps keys apart", async () => {
    const flight = new SingleFlight<string>();
    const { work, state, resolve } = counted();
    resolve("done");
    await Promise.all([flight.join("a", work, stays).result, flight.join("b", work, stays).result]);
    assert.equal(state.starts, 2);
  });

  it("abandons the work once every waiter has left, not before", async () => {
    const flight = new SingleFlight<string>();
    const { work, state, resolve } = counted();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = flight.join("a", work, one.signal);
    flight.join("a", work, two.signal).result.catch(() => undefined);
    one.abort();
    assert.equal(state.signals[0]?.aborted, false);
    two.abort();
    assert.equal(state.signals[0]?.aborted, true);
    const later = flight.join("a", work, stays);
    assert.ok(later.isFirst, "later callers do not join abandoned work");
    resolve("done");
    assert.equal(await later.result, "done");
    await first.result;
  });
});
