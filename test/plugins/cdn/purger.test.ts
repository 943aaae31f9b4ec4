import assert from "node:assert/strict";
import { type Logger, silentLog } from "#kernel";
import type { CdnProvider } from "../../../plugins/cdn/contract.js";
import { JobFiles } from "../../../plugins/jobs/engines/job-files.js";
import { StoredJobs } from "../../../plugins/jobs/engines/stored-jobs.js";
import { JobQueue } from "../../../plugins/jobs/job-queue.js";
import { CdnRefusal } from "../../../plugins/cdn/errors.js";
import { Purger, type PurgerOptions } from "../../../plugins/cdn/purger.js";
import { deferred } from "../../support/deferred.js";
import { useFolder } from "../../support/folder.js";
import { until } from "../../support/until.js";

const started = performance.now();
const clock = { now: () => Date.UTC(2030, 0, 1) + Math.floor(performance.now() - started) };

const closers: (() => Promise<void>)[] = [];

function purgerIn(
  folder: string,
  provider: Partial<CdnProvider>,
  options: Partial<PurgerOptions> = {},
) {
  const batches: string[][] = [];
  const whole: CdnProvider = {
    most: 100,
    purge: async (urls) => void batches.push([...urls]),
    purgeEverything: async () => void batches.push(["*"]),
    ...provider,
  };
  const closing = new AbortController();
  const store = new JobFiles(folder);
  const { signal } = closing;
  const engine = new StoredJobs({ store, clock, log: silentLog, signal });
  const jobs = new JobQueue({ engine: () => engine, clock, log: silentLog });
  const purger = new Purger({
    jobs,
    provider: whole,
    name: "test",
    batchSize: 3,
    batchDelayMs: 1,
    clock,
    log: silentLog,
    onEmptying: () => undefined,
    delaysMs: [1],
    ...options,
  });
  const close = async (): Promise<void> => {
    closing.abort();
    await jobs.close();
    purger.close();
  };
  closers.push(close);
  return { purger, batches, jobs, close };
}

describe("the purger", () => {
  const folder = useFolder();
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  const purgerOf = (provider: Partial<CdnProvider>, options: Partial<PurgerOptions> = {}) =>
    purgerIn(folder.path, provider, options);

  it("collects addresses into batches, each address once", async () => {
    const { purger, batches } = purgerOf({});
    purger.add(["a", "b"]);
    purger.add(["b", "c", "d"]);
    await until(() => purger.status().purged === 4);
    assert.deepEqual(batches, [["a", "b", "c"], ["d"]]);
  });

  it("delays a partial batch, and sends a full one at once", async () => {
    const { purger, batches } = purgerOf({}, { batchDelayMs: 3_600_000 });
    purger.add(["a", "b"]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(batches, []);
    purger.add(["c"]);
    await until(() => batches.length === 1);
  });

  it("sends no more than the provider accepts", async () => {
    const { purger, batches } = purgerOf({ most: 2 }, { batchSize: 30 });
    purger.add(["a", "b", "c"]);
    await purger.settled();
    assert.deepEqual(batches, [["a", "b"], ["c"]]);
  });

  it("retries a failed purge with later additions, and reports the error", async () => {
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
    assert.match(lastSuccess ?? "", /^2030-01-01T/);
  });

  it("waits as long as the provider requests", async () => {
    let calls = 0;
    const { purger, jobs } = purgerOf({
      purge: () => {
        calls += 1;
        return Promise.reject(new CdnRefusal("test answered 429", 3_600_000));
      },
    });
    purger.add(["a"]);
    await until(() => purger.status().failures === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(calls, 1);
    await until(() => jobs.status()["cdn"]?.running === 0);
    await assert.rejects(purger.settled(), { code: "ERR_CDN_REFUSED" });
    assert.equal(calls, 2);
  });

  it("purges an address again that changed during its purge", async () => {
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

  it("replaces too many addresses by everything, and retries it", async () => {
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

  it("sends the rest at the next startup", async () => {
    const first = purgerOf({ purge: () => Promise.reject(new CdnRefusal("down", 3_600_000)) });
    first.purger.add(["a", "b"]);
    await until(() => first.purger.status().failures === 1);
    await first.close();
    const { purger, jobs, batches } = purgerOf({});
    await jobs.open();
    await purger.settled();
    await until(() => batches.length > 0);
    assert.deepEqual(batches, [["a", "b"]]);
  });

  it("waits for a purge by another process, and fails when it fails", async () => {
    let isDown = false;
    const owner = purgerOf({
      purge: () => (isDown ? Promise.reject(new CdnRefusal("down")) : Promise.resolve()),
    });
    await owner.jobs.open();
    const { purger } = purgerOf({});
    purger.add(["a"]);
    await purger.settled();
    assert.equal(owner.purger.status().purged, 1);
    isDown = true;
    purger.add(["b"]);
    await assert.rejects(purger.settled(), { code: "ERR_CDN_REFUSED" });
  });

  it("closes in time when the provider never responds, and logs the rest", async () => {
    const warned: unknown[] = [];
    const log: Logger = {
      ...silentLog,
      warn: (event, fields) => void warned.push([event, fields?.["pending"]]),
    };
    let isAsked = false;
    const purge = (): Promise<never> => {
      isAsked = true;
      return new Promise(() => undefined);
    };
    const { purger, close } = purgerOf({ purge }, { log });
    purger.add(["a", "b"]);
    await until(() => isAsked);
    assert.equal(purger.status().pending, 2);
    await close();
    closers.length = 0;
    assert.deepEqual(warned, [["cdn.left", 2]]);
  });
});
