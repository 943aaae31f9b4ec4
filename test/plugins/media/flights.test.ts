import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { deferred } from "../../support/deferred.js";
import { Flights } from "../../../plugins/media/flights.js";

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

describe("Flights", () => {
  it("I15: does the work once for all who ask at the same time", async () => {
    const flights = new Flights<string>();
    const { work, state, resolve } = counted();
    const joined = Array.from({ length: 200 }, () => flights.join("a", work, stays));
    resolve("done");
    const results = await Promise.all(joined.map(({ result }) => result));
    assert.equal(state.starts, 1);
    assert.deepEqual(new Set(results), new Set(["done"]));
    assert.equal(joined.filter(({ isFirst }) => isFirst).length, 1);
  });

  it("works anew once the last flight has landed, well or badly", async () => {
    const flights = new Flights<string>();
    const bad = counted();
    const { result } = flights.join("a", bad.work, stays);
    bad.reject("broken");
    await assert.rejects(
      result.catch((error: unknown) => Promise.reject(new Error(String(error)))),
    );
    const good = counted();
    const next = flights.join("a", good.work, stays);
    good.resolve("fine");
    assert.equal(await next.result, "fine");
    assert.ok(next.isFirst);
  });

  it("keeps keys apart", async () => {
    const flights = new Flights<string>();
    const { work, state, resolve } = counted();
    resolve("done");
    await Promise.all([
      flights.join("a", work, stays).result,
      flights.join("b", work, stays).result,
    ]);
    assert.equal(state.starts, 2);
  });

  it("gives the work up when everybody has left, not before", async () => {
    const flights = new Flights<string>();
    const { work, state, resolve } = counted();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = flights.join("a", work, one.signal);
    flights.join("a", work, two.signal).result.catch(() => undefined);
    one.abort();
    assert.equal(state.signals[0]?.aborted, false);
    two.abort();
    assert.equal(state.signals[0]?.aborted, true);
    const newcomer = flights.join("a", work, stays);
    assert.ok(newcomer.isFirst, "nobody boards what is given up");
    resolve("done");
    assert.equal(await newcomer.result, "done");
    await first.result;
  });
});
