import assert from "node:assert/strict";
import { silentLog, type Logger } from "#kernel";
import type { CdnProvider } from "../../../plugins/cdn/contract.js";
import { CdnRefusal } from "../../../plugins/cdn/errors.js";
import { Purger, type PurgerOptions } from "../../../plugins/cdn/purger.js";
import { deferred } from "../../support/deferred.js";

const clock = { now: () => Date.UTC(2030, 0, 1) };

function purgerOf(provider: Partial<CdnProvider>, options: Partial<PurgerOptions> = {}) {
  const batches: string[][] = [];
  const whole: CdnProvider = {
    most: 100,
    purge: async (urls) => void batches.push([...urls]),
    purgeEverything: async () => void batches.push(["*"]),
    ...provider,
  };
  const purger = new Purger({
    provider: whole,
    name: "test",
    batchSize: 3,
    batchDelayMs: 1,
    clock,
    log: silentLog,
    onEmptying: () => undefined,
    backOff: [1],
    ...options,
  });
  return { purger, batches };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; round < 5_000 && !isSo(); round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.ok(isSo(), "it did not happen within ten seconds");
}

describe("the purger", () => {
  it("gathers addresses into batches, each address once", async () => {
    const { purger, batches } = purgerOf({});
    purger.add(["a", "b"]);
    purger.add(["b", "c", "d"]);
    await until(() => purger.status().purged === 4);
    assert.deepEqual(batches, [["a", "b", "c"], ["d"]]);
  });

  it("waits with a batch that is not full, sends a full one at once", async () => {
    const { purger, batches } = purgerOf({}, { batchDelayMs: 3_600_000 });
    purger.add(["a", "b"]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(batches, []);
    purger.add(["c"]);
    await until(() => batches.length === 1);
    await purger.close(1_000);
  });

  it("sends no more than the provider takes", async () => {
    const { purger, batches } = purgerOf({ most: 2 }, { batchSize: 30 });
    purger.add(["a", "b", "c"]);
    await purger.settled();
    assert.deepEqual(batches, [["a", "b"], ["c"]]);
  });

  it("tries again what was refused, with what came meanwhile, and says what was wrong", async () => {
    const attempts: string[][] = [];
    const second = deferred<void>();
    const sent: string[][] = [];
    const { purger } = purgerOf({
      purge: async (urls) => {
        attempts.push([...urls]);
        if (attempts.length === 2) await second.promise;
        if (attempts.length <= 3) throw new CdnRefusal("test answered 503");
        sent.push([...urls].toSorted());
      },
    });
    purger.add(["a"]);
    await until(() => attempts.length === 2);
    const { failures, lastError: first } = purger.status();
    assert.deepEqual([failures, first], [1, "test answered 503"]);
    purger.add(["b"]);
    second.resolve();
    await until(() => purger.status().pending === 0);
    assert.deepEqual(sent, [["a", "b"]]);
    const { failures: counted, lastError, lastSuccess, purged } = purger.status();
    assert.deepEqual([counted, lastError, purged], [3, null, 2]);
    assert.equal(lastSuccess, "2030-01-01T00:00:00.000Z");
  });

  it("waits as long as the provider asks for", async () => {
    let calls = 0;
    const { purger } = purgerOf({
      purge: () => {
        calls += 1;
        return Promise.reject(new CdnRefusal("test answered 429", 3_600_000));
      },
    });
    purger.add(["a"]);
    await until(() => purger.status().failures === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(calls, 1);
    await purger.close(1_000);
    assert.equal(calls, 2);
  });

  it("purges an address again that changed while its purge was under way", async () => {
    const first = deferred<void>();
    const sent: string[][] = [];
    const { purger } = purgerOf({
      purge: async (urls) => {
        sent.push([...urls]);
        if (sent.length === 1) await first.promise;
      },
    });
    purger.add(["a"]);
    await until(() => sent.length === 1);
    purger.add(["a"]);
    first.resolve();
    await until(() => sent.length === 2);
    assert.deepEqual(sent, [["a"], ["a"]]);
  });

  it("takes everything in place of endlessly many, and keeps at it", async () => {
    let isDown = true;
    let emptied = 0;
    const { purger, batches } = purgerOf({
      purgeEverything: async () => {
        if (isDown) throw new CdnRefusal("down");
        emptied += 1;
      },
    });
    purger.add(Array.from({ length: 10_001 }, (_, at) => `/${at}`));
    await until(() => purger.status().failures > 1);
    assert.deepEqual([purger.status().everything, purger.status().pending], [true, 0]);
    isDown = false;
    await until(() => emptied === 1);
    assert.deepEqual([batches, purger.status().everything], [[], false]);
  });

  it("closes in time when the provider never answers, and says what is left", async () => {
    const warned: unknown[] = [];
    const log: Logger = {
      ...silentLog,
      warn: (event, fields) => void warned.push([event, fields?.["pending"]]),
    };
    const { purger } = purgerOf({ purge: () => new Promise(() => undefined) }, { log });
    purger.add(["a", "b"]);
    await until(() => purger.status().pending === 2);
    await purger.close(20);
    assert.deepEqual(warned, [["cdn.left", 2]]);
  });
});
