import assert from "node:assert/strict";
import { MessageChannel } from "node:worker_threads";
import { exportAll, localWorker } from "../../../../plugins/static/make/workers.js";
import type { ExportJob, ExportOutcome } from "../../../../plugins/static/make/page-exporter.js";

const exporter = {
  export: async ({ url }: ExportJob): Promise<ExportOutcome> => ({ url, kind: "written" }),
};
const jobs = Array.from({ length: 20 }, (_, at) => ({ url: `/${at}` }));

describe("exporting in batches", () => {
  it("exports every job once", async () => {
    const outcomes = await exportAll(exporter, jobs);
    assert.deepEqual(outcomes.map(({ url }) => url).sort(), jobs.map(({ url }) => url).sort());
  });

  it("lets other threads run between two of its own batches, even without I/O", async () => {
    const worker = localWorker(exporter);
    const { port1, port2 } = new MessageChannel();
    const batches: number[] = [];
    const heard: number[] = [];
    port1.on("message", () => heard.push(batches.length));
    port2.postMessage("a batch is done");
    while (batches.length < 50) batches.push((await worker.export(jobs)).length);
    port1.close();
    assert.ok((heard[0] ?? 50) < 50, "the answer came when all was done");
  });
});
