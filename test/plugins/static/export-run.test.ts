import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ExportWorker } from "../../../plugins/static/make/workers.js";
import { ExportRun } from "../../../plugins/static/export-run.js";
import { Freshness } from "../../../plugins/static/plan/plan-export.js";
import type { ExportJob, ExportOutcome } from "../../../plugins/static/make/page-exporter.js";

const MANY = 60_000;
/** What a run may store per address: its file, digest and tags. */
const MAX_BYTES_EACH = 1_500;

function newRun(): ExportRun {
  const nothing = { out: "/nowhere", now: 0, basis: "a", before: null, changes: [] };
  return new ExportRun({
    before: null,
    freshness: new Freshness(nothing),
    present: new Set(),
    isUntracked: () => false,
    onProgress: () => undefined,
  });
}

function outcomeOf({ url }: ExportJob): ExportOutcome {
  const file = `${url.slice(1)}/index.html`;
  const tags = [`page:${file}`, "config", "theme"];
  return {
    url,
    kind: "written",
    file,
    staged: `s${url}`,
    hash: "h",
    size: 1,
    reads: tags,
    links: ["/p1"],
  };
}

/** A worker that accepts all jobs, and counts its pending ones. */
function countingWorker(capacity: number): ExportWorker & { most: number } {
  let inHand = 0;
  const worker = {
    capacity,
    most: 0,
    async export(jobs: readonly ExportJob[]) {
      inHand += jobs.length;
      worker.most = Math.max(worker.most, inHand);
      await Promise.resolve();
      inHand -= jobs.length;
      return jobs.map(outcomeOf);
    },
    close: async () => undefined,
  };
  return worker;
}

function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

describe("ExportRun", () => {
  it("stores a bounded number of bytes per address, and has few pending pages", async () => {
    const before = heapUsed();
    const run = newRun();
    for (let at = 0; at < MANY; at += 1) run.want({ url: `/p${at}` });
    const workers = [countingWorker(1), countingWorker(2)];
    await run.work(workers);
    assert.equal(run.outputs.size, MANY);
    assert.equal(run.rendered, MANY);
    const each = (heapUsed() - before) / MANY;
    assert.ok(each < MAX_BYTES_EACH, `${Math.round(each)} bytes for each address`);
    for (const { most, capacity } of workers) assert.ok(most <= 24 * capacity, `${most} in hand`);
    assert.equal(run.waiting, 0);
  });

  it("requests an address once, however often it is added and linked to", async () => {
    const run = newRun();
    for (const url of ["/p1", "/p1/", "/p1", "/%701"]) run.want({ url });
    const worker = countingWorker(1);
    await run.work([worker]);
    assert.deepEqual([...run.outputs.keys()], ["p1/index.html"]);
  });

  it("stops when the first worker fails, and reports why", async () => {
    const run = newRun();
    for (let at = 0; at < 100; at += 1) run.want({ url: `/p${at}` });
    const failing: ExportWorker = {
      capacity: 1,
      export: () => Promise.reject(new Error("no space")),
      close: async () => undefined,
    };
    await assert.rejects(run.work([failing]), /no space/);
  });
});
